// An answer as the message of this protocol: its blocks in order, and why it stopped.
import { createHash } from 'node:crypto';
import type { Call } from '../../protocol.ts';
import type { Answer } from '../../text/compose-answer.ts';
import { makeId } from '../../openai/make-id.ts';
import { FOUND, usesOf } from '../../text/server-side.ts';
import type { MessageRequest } from '../request/message-request.ts';
import { signThought } from '../request/thinking.ts';
import { type Usage, writeUsage } from './usage.ts';

export type AnswerBlock =
  | { type: 'thinking'; pieces: string[]; signature: string }
  | { type: 'text'; pieces: string[] }
  | { type: 'server_tool_use'; id: string; name: string; input: unknown; pieces: string[] }
  | { type: 'server_tool_result'; id: string; name: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown; pieces: string[] };

export type Message = {
  id: string;
  model: string;
  blocks: AnswerBlock[];
  ending: { stop_reason: string; stop_sequence: string | null; stop_details: object | null };
  usage: Usage;
};

const stopReasons: Readonly<Record<Answer['ending'], string>> = {
  end: 'end_turn',
  length: 'max_tokens',
  'stop-sequence': 'stop_sequence',
  calls: 'tool_use',
  'malformed-call': 'tool_use',
  refusal: 'refusal',
  error: 'error',
};

export function makeMessage(request: MessageRequest, answer: Answer, call: Call): Message {
  const { ending, stopSequence } = answer;
  const details = { type: 'refusal', category: null, explanation: 'The sandbox was asked to refuse.' };
  return {
    id: makeId(call, 'msg_'),
    model: request.model,
    blocks: makeBlocks(request, answer, call),
    ending: {
      stop_reason: stopReasons[ending],
      stop_sequence: stopSequence ?? null,
      stop_details: ending === 'refusal' ? details : null,
    },
    usage: writeUsage(request, answer, call.behaviour),
  };
}

function makeBlocks(
  { thinking, serverTools }: MessageRequest,
  { thoughts, texts, calls }: Answer,
  call: Call,
): AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  if (thoughts.length > 0) {
    const pieces = thinking?.isShown === false ? [] : thoughts;
    blocks.push({ type: 'thinking', pieces, signature: signThought(pieces.join('')) });
  }
  for (const [index, name] of usesOf(serverTools, call.behaviour).entries()) {
    const id = `srvtoolu_${makeCallId(call, 1000 + index).slice('toolu_'.length)}`;
    const input = { query: 'sandbox' };
    blocks.push({ type: 'server_tool_use', id, name, input, pieces: [JSON.stringify(input)] });
    blocks.push({ type: 'server_tool_result', id, name });
  }
  if (texts.length > 0) blocks.push({ type: 'text', pieces: texts });
  for (const [index, { name, input, pieces, isWhole }] of calls.entries()) {
    // What was cut off cannot be read as JSON; the whole answer then shows a call without input.
    blocks.push({ type: 'tool_use', id: makeCallId(call, index), name, input: isWhole ? input : {}, pieces });
  }
  return blocks;
}

function makeCallId({ exchange: { record } }: Call, index: number): string {
  const seed = `${record.id}:${record.rawBody}:${index}`;
  return `toolu_${createHash('sha256').update(seed).digest('hex').slice(0, 24)}`;
}

/** What every answer begins with. */
export function writeHead({ id, model }: Message): object {
  return { id, type: 'message', role: 'assistant', model, container: null, diagnostics: null };
}

export const direct = { caller: { type: 'direct' } };

export function writeMessage(message: Message): object {
  const { blocks, ending, usage } = message;
  return {
    ...writeHead(message),
    content: blocks.map(writeBlock),
    ...ending,
    ...(usage.whole === undefined ? {} : { usage: usage.whole }),
  };
}

function writeBlock(block: AnswerBlock): object {
  const { type } = block;
  if (type === 'server_tool_result') return writeToolResult(block);
  if (type === 'thinking') return { type, thinking: block.pieces.join(''), signature: block.signature };
  if (type === 'text') return { type, text: block.pieces.join('') };
  return { type, id: block.id, name: block.name, input: block.input, ...direct };
}

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#response */
export function writeToolResult({ id, name }: AnswerBlock & { type: 'server_tool_result' }): object {
  const found = { type: 'web_search_result', ...FOUND, encrypted_content: 'c2FuZGJveA==', page_age: null };
  return { type: `${name}_tool_result`, tool_use_id: id, content: [found], ...direct };
}
