// Calls the message-style endpoints in their own tests.
import assert from 'node:assert/strict';
import type { Sandbox } from '../server.ts';
import { call, type CallOptions, type Got, readTypedEvents, type TypedEvent } from '../test-client.ts';

export type Block = Record<string, unknown> & { type: string };

export type Message = {
  id: string;
  content: Block[];
  stop_reason: string;
  stop_sequence: string | null;
  usage: Record<string, unknown>;
};

export type AskOptions = Omit<CallOptions, 'provider'>;

export function askMessages(sandbox: Sandbox, body: unknown, options: AskOptions = {}): Promise<Got> {
  const { headers = {}, ...rest } = options;
  return call(sandbox, body, {
    provider: 'anthropic',
    path: '/v1/messages',
    key: null,
    headers: { 'x-api-key': 'sandbox', 'anthropic-version': '2023-06-01', ...headers },
    ...rest,
  });
}

export function messagesBody(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: 'sandbox-messages', max_tokens: 4096, messages: [{ role: 'user', content: text }], ...more };
}

export async function say(sandbox: Sandbox, body: unknown, options: AskOptions = {}): Promise<Message> {
  const got = await askMessages(sandbox, body, options);
  assert.equal(got.status, 200, got.text);
  return JSON.parse(got.text) as Message;
}

export async function stream(sandbox: Sandbox, body: object, options: AskOptions = {}): Promise<TypedEvent[]> {
  const got = await askMessages(sandbox, { ...body, stream: true }, options);
  assert.equal(got.status, 200, got.text);
  return readTypedEvents(got.text);
}

/** Puts a stream together by the rules of the protocol, which are simple enough to write down a second time. */
export function assemble(events: readonly TypedEvent[]): { blocks: Block[]; delta: Record<string, unknown> } {
  const blocks: Block[] = [];
  let delta: Record<string, unknown> = {};
  for (const { event, data } of events) {
    assert.equal(event, data['type']);
    if (event === 'content_block_start') blocks.push({ ...(data['content_block'] as Block), json: '' });
    if (event === 'message_delta') delta = data['delta'] as Record<string, unknown>;
    if (event !== 'content_block_delta') continue;
    const block = blocks[Number(data['index'])];
    assert.ok(block);
    const { type, ...added } = data['delta'] as Record<string, string>;
    const name = type === 'input_json_delta' ? 'json' : Object.keys(added)[0];
    block[name ?? ''] = String(block[name ?? '']) + Object.values(added)[0];
  }
  return {
    blocks: blocks.map(({ json, ...block }) => (json === '' ? block : { ...block, input: JSON.parse(String(json)) })),
    delta,
  };
}
