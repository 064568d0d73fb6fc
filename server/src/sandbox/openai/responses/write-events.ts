// A response as the typed events of its stream, in the real order.
// https://platform.openai.com/docs/api-reference/responses-streaming
import type { StreamEvent } from '../../http/send-stream.ts';
import type { WireObject } from '../../fields/refuse.ts';
import type { Output, OutputItem } from './compose-output.ts';
import { writeItem, writeServerCall, writeTextPart } from './write-response.ts';

type Step = { kind: StreamEvent['kind']; type: string; fields: WireObject };

export function* writeEvents(open: WireObject, done: WireObject, output: Output): Generator<StreamEvent> {
  let sequence = 0;
  for (const { kind, type, fields } of writeSteps(open, done, output)) {
    yield { kind, event: type, data: JSON.stringify({ type, sequence_number: sequence, ...fields }) };
    sequence += 1;
  }
}

export function writeErrorEvent(eventsSent: number): Pick<StreamEvent, 'event' | 'data'> {
  const type = 'error';
  const message = 'The server had an error while processing your request.';
  const data = { type, sequence_number: eventsSent, code: 'server_error', message, param: null };
  return { event: type, data: JSON.stringify(data) };
}

function* writeSteps(open: WireObject, done: WireObject, output: Output): Generator<Step> {
  yield { kind: 'opening', type: 'response.created', fields: { response: open } };
  yield { kind: 'opening', type: 'response.in_progress', fields: { response: { ...open, status: 'in_progress' } } };
  const { items, status } = output;
  for (const [index, item] of items.entries()) {
    const isLast = index === items.length - 1;
    // Chosen faults count content to the end of the last item, so what closes an earlier one does not close the answer.
    const position = { index, closing: isLast ? ('closing' as const) : ('opening' as const) };
    if (item.type === 'server_call') yield* writeServerSteps(item, position);
    else if (item.type === 'message') yield* writeMessageSteps(item, position);
    else yield* item.type === 'custom_tool_call' ? writeCustomSteps(item, position) : writeCallSteps(item, position);
    const whole = writeItem(item, isLast && status !== 'completed');
    yield { kind: position.closing, type: 'response.output_item.done', fields: { output_index: index, item: whole } };
  }
  yield { kind: 'done', type: `response.${status}`, fields: { response: done } };
}

type Position = { index: number; closing: 'opening' | 'closing' };

function* writeMessageSteps(item: OutputItem & { type: 'message' }, { index, closing }: Position): Generator<Step> {
  const { id, pieces } = item;
  const at = { item_id: id, output_index: index, content_index: 0 };
  const empty = { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
  const text = pieces.join('');
  yield { kind: 'opening', type: 'response.output_item.added', fields: { output_index: index, item: empty } };
  yield { kind: 'opening', type: 'response.content_part.added', fields: { ...at, part: writeTextPart('') } };
  for (const delta of pieces) {
    yield { kind: 'content', type: 'response.output_text.delta', fields: { ...at, delta, logprobs: [] } };
  }
  yield { kind: closing, type: 'response.output_text.done', fields: { ...at, text, logprobs: [] } };
  yield { kind: closing, type: 'response.content_part.done', fields: { ...at, part: writeTextPart(text) } };
}

function* writeServerSteps(item: OutputItem & { type: 'server_call' }, { index }: Position): Generator<Step> {
  const at = { item_id: item.id, output_index: index };
  const begun = writeServerCall(item, 'in_progress');
  yield { kind: 'opening', type: 'response.output_item.added', fields: { output_index: index, item: begun } };
  for (const state of ['in_progress', 'completed'])
    yield { kind: 'opening', type: `response.${item.tool}_call.${state}`, fields: at };
}

type CallItem = Extract<OutputItem, { callId: string }>;

function* writeCustomSteps(item: CallItem, { index, closing }: Position): Generator<Step> {
  const { id, type, callId, name, pieces } = item;
  const at = { item_id: id, output_index: index };
  const empty = { id, type, status: 'in_progress', call_id: callId, input: '', name };
  yield { kind: 'opening', type: 'response.output_item.added', fields: { output_index: index, item: empty } };
  for (const delta of pieces)
    yield { kind: 'content', type: 'response.custom_tool_call_input.delta', fields: { ...at, delta } };
  yield { kind: closing, type: 'response.custom_tool_call_input.done', fields: { ...at, input: pieces.join('') } };
}

function* writeCallSteps(item: CallItem, { index, closing }: Position): Generator<Step> {
  const { id, type, callId, name, pieces } = item;
  const at = { item_id: id, output_index: index };
  const empty = { id, type, status: 'in_progress', arguments: '', call_id: callId, name };
  yield { kind: 'opening', type: 'response.output_item.added', fields: { output_index: index, item: empty } };
  for (const delta of pieces) {
    yield { kind: 'content', type: 'response.function_call_arguments.delta', fields: { ...at, delta } };
  }
  const fields = { ...at, name, arguments: pieces.join('') };
  yield { kind: closing, type: 'response.function_call_arguments.done', fields };
}
