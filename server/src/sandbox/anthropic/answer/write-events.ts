// A message as the typed events of its stream, in the real order.
// https://docs.claude.com/en/docs/build-with-claude/streaming
import type { StreamEvent } from '../../http/send-stream.ts';
import { type AnswerBlock, direct, type Message, writeHead, writeToolResult } from './message.ts';

type Kind = StreamEvent['kind'];

export function* writeEvents(message: Message): Generator<StreamEvent> {
  const { blocks, ending, usage } = message;
  const begun = {
    ...writeHead(message),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    ...(usage.atStart === undefined ? {} : { usage: usage.atStart }),
  };
  yield write('opening', 'message_start', { message: begun });
  // The real service sends it early, whether or not there is silence to break.
  if (blocks.length === 0) yield write('opening', 'ping', {});
  for (const [index, block] of blocks.entries()) {
    yield write('opening', 'content_block_start', { index, content_block: writeEmpty(block) });
    if (index === 0) yield write('opening', 'ping', {});
    yield* writeDeltas(block, index);
    // Chosen faults count content to the end of the last block, so what closes an earlier one does not close the answer.
    yield write(index === blocks.length - 1 ? 'closing' : 'opening', 'content_block_stop', { index });
  }
  const atEnd = usage.atEnd === undefined ? {} : { usage: usage.atEnd };
  yield write('closing', 'message_delta', { delta: { ...ending, container: null }, ...atEnd });
  yield write('done', 'message_stop', {});
}

export function write(kind: Kind, type: string, fields: object): StreamEvent {
  return { kind, event: type, data: JSON.stringify({ type, ...fields }) };
}

function writeEmpty(block: AnswerBlock): object {
  const { type } = block;
  if (type === 'thinking') return { type, thinking: '', signature: '' };
  if (type === 'text') return { type, text: '' };
  if (type === 'server_tool_result') return writeToolResult(block);
  return { type, id: block.id, name: block.name, input: {}, ...direct };
}

function* writeDeltas(block: AnswerBlock, index: number): Generator<StreamEvent> {
  const delta = (kind: Kind, type: string, fields: object): StreamEvent =>
    write(kind, 'content_block_delta', { index, delta: { type, ...fields } });
  if (block.type === 'text') {
    for (const text of block.pieces) yield delta('content', 'text_delta', { text });
  } else if (block.type === 'thinking') {
    for (const thinking of block.pieces) yield delta('content', 'thinking_delta', { thinking });
    yield delta('content', 'signature_delta', { signature: block.signature });
  } else if (block.type !== 'server_tool_result') {
    yield delta('opening', 'input_json_delta', { partial_json: '' });
    for (const piece of block.pieces) yield delta('content', 'input_json_delta', { partial_json: piece });
  }
}
