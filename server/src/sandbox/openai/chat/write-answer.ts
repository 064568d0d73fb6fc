// Puts a reply on the wire, as one object or as chunks of one token each.
// https://platform.openai.com/docs/api-reference/chat/object and .../chat-streaming
import type { StreamEvent } from '../../http/send-stream.ts';
import { FOUND } from '../../text/server-side.ts';
import type { Choice, ToolCall } from './compose-reply.ts';

export type Answer = {
  id: string;
  created: number;
  model: string;
  choices: Choice[];
  usage: object | undefined;
  serviceTier: string;
  /** Sources on the web that the text refers to. */
  citations: number;
};

const fingerprint = 'fp_sandbox0001';

export function writeCompletion(answer: Answer): object {
  const { id, created, model, choices, usage, serviceTier } = answer;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: choices.map((choice) => ({
      index: choice.index,
      message: writeMessage(choice, answer),
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    ...(usage === undefined ? {} : { usage }),
    service_tier: serviceTier,
    system_fingerprint: fingerprint,
  };
}

function writeMessage({ textPieces, toolCalls }: Choice, { citations }: Answer): object {
  return {
    role: 'assistant',
    content: textPieces === null ? null : textPieces.join(''),
    refusal: null,
    annotations: writeAnnotations(citations),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(writeToolCall) }),
  };
}

function writeAnnotations(count: number): object[] {
  const citation = { type: 'url_citation', url_citation: { ...FOUND, start_index: 0, end_index: 1 } };
  return Array.from({ length: count }, () => citation);
}

function writeToolCall({ id, name, argumentPieces, isCustom }: ToolCall): object {
  if (isCustom) return { id, type: 'custom', custom: { name, input: argumentPieces.join('') } };
  return { id, type: 'function', function: { name, arguments: argumentPieces.join('') } };
}

/** Choices take turns, token by token, as they do in the real service. */
export function* writeEvents(answer: Answer, includeUsage: boolean): Generator<StreamEvent> {
  const { id, created, model, choices, usage, serviceTier: service_tier, citations } = answer;
  const object = 'chat.completion.chunk';
  const head = { id, object, created, model, service_tier, system_fingerprint: fingerprint };
  const emptyUsage = includeUsage && usage !== undefined ? { usage: null } : {};
  const writeChunk = (kind: StreamEvent['kind'], choice: Choice, delta: object, reason: string | null): StreamEvent => {
    const part = { index: choice.index, delta, logprobs: null, finish_reason: reason };
    return { kind, data: JSON.stringify({ ...head, choices: [part], ...emptyUsage }) };
  };

  for (const choice of choices) {
    const content = choice.textPieces === null ? null : '';
    yield writeChunk('opening', choice, { role: 'assistant', content, refusal: null }, null);
  }
  const running = choices.map((choice) => ({ choice, deltas: writeDeltas(choice) }));
  for (let open = running; open.length > 0;) {
    const still: typeof running = [];
    for (const one of open) {
      const { value, done } = one.deltas.next();
      if (done) continue;
      yield writeChunk('content', one.choice, value, null);
      still.push(one);
    }
    open = still;
  }
  for (const choice of choices)
    if (citations > 0) yield writeChunk('closing', choice, { annotations: writeAnnotations(citations) }, null);
  for (const choice of choices) yield writeChunk('closing', choice, {}, choice.finishReason);
  if (includeUsage && usage !== undefined) {
    yield { kind: 'closing', data: JSON.stringify({ ...head, choices: [], usage }) };
  }
  yield { kind: 'done', data: '[DONE]' };
}

function* writeDeltas({ textPieces, toolCalls }: Choice): Generator<object, undefined> {
  for (const content of textPieces ?? []) yield { content };
  for (const [index, { id, name, argumentPieces, isCustom }] of toolCalls.entries()) {
    if (isCustom) {
      yield { tool_calls: [{ index, id, type: 'custom', custom: { name, input: '' } }] };
      for (const input of argumentPieces) yield { tool_calls: [{ index, custom: { input } }] };
      continue;
    }
    yield { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
    for (const piece of argumentPieces) yield { tool_calls: [{ index, function: { arguments: piece } }] };
  }
  return undefined;
}
