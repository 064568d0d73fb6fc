// Batches for tests: an input file of chat lines, the wait for the end, and the lines of an output.
import assert from 'node:assert/strict';
import OpenAI, { toFile } from 'openai';
import { waitUntil } from './wait.ts';
import type { World } from './world.ts';

export const BATCH_PRICE = { unit: 'tokens', input: '2.5', output: '10', batch: '0.5' } as const;

export interface OutputLine {
  custom_id: string;
  response: { status_code: number; request_id: string; body: Record<string, unknown> } | null;
  error: { code: string; message: string } | null;
}

export function openai({ gateway, key }: { gateway: { address: string }; key: string }): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.address}/v1`, maxRetries: 2 });
}

export function chatLine(customId: string, model: string, more: Record<string, unknown> = {}): object {
  const body = { model, max_tokens: 50, messages: [{ role: 'user', content: `Line ${customId}` }], ...more };
  return { custom_id: customId, method: 'POST', url: '/v1/chat/completions', body };
}

export async function upload(client: OpenAI, lines: readonly (object | string)[]): Promise<string> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const file = await client.files.create({
    file: await toFile(Buffer.from(`${text}\n`), 'in.jsonl'),
    purpose: 'batch',
  });
  return file.id;
}

export async function begin(client: OpenAI, lines: readonly (object | string)[], endpoint = '/v1/chat/completions') {
  const input_file_id = await upload(client, lines);
  return client.batches.create({ input_file_id, endpoint: endpoint as never, completion_window: '24h' });
}

const ENDED = new Set(['completed', 'failed', 'expired', 'cancelled']);

export async function ended(client: OpenAI, id: string): Promise<OpenAI.Batches.Batch> {
  let batch = await client.batches.retrieve(id);
  await waitUntil(async () => {
    batch = await client.batches.retrieve(id);
    return ENDED.has(batch.status);
  }, `the batch ${id} does not end`);
  return batch;
}

export async function linesOf(client: OpenAI, fileId: string | null | undefined): Promise<OutputLine[]> {
  if (fileId === undefined || fileId === null) return [];
  const text = await (await client.files.content(fileId)).text();
  assert.ok(text.endsWith('\n'));
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as OutputLine);
}

/** The account's settles of a batch, by custom_id. */
export async function settlesOf({ gateway, account }: World, batchId: string): Promise<Map<string, string[]>> {
  const { ledgerOf } = await import('./money.ts');
  const settles = new Map<string, string[]>();
  for (const { kind, request_id, amount } of await ledgerOf(gateway, { account_id: account.id }))
    if (kind === 'settle' && request_id?.startsWith(`${batchId}/`) === true) {
      const customId = request_id.slice(batchId.length + 1);
      settles.set(customId, [...(settles.get(customId) ?? []), amount]);
    }
  return settles;
}
