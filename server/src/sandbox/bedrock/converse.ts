// POST /model/{id}/converse and /converse-stream: an answer of the sandbox, written as Converse writes it.
import { makeMessage, type Message } from '../anthropic/answer/message.ts';
import { countInput } from '../anthropic/answer/usage.ts';
import { makeQuestion } from '../anthropic/messages.ts';
import { type MessageRequest, readMessageRequest } from '../anthropic/request/message-request.ts';
import type { WireObject } from '../fields/refuse.ts';
import { sendStream, type StreamEvent } from '../http/send-stream.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { composeAnswer } from '../text/compose-answer.ts';
import { servedTier } from '../text/server-side.ts';
import { readConverseRequest } from './converse-request.ts';
import { writeError } from './error.ts';
import { frameAsEventStream } from './frames.ts';
import { readModelId } from './models.ts';

const events = frameAsEventStream(({ event = '', data }) => [event, data]);

type Answered = { message: Message; tier: string };

export async function answerConverse(call: Call): Promise<void> {
  const { message, tier } = answer(call);
  const body = {
    output: { message: { role: 'assistant', content: message.blocks.flatMap(writeBlock) } },
    stopReason: stopReason(message),
    ...writeUsage(message),
    metrics: { latencyMs: 1 },
    serviceTier: { type: tier },
  };
  await sendWhole(call.exchange, { body, errorBody: writeError({ status: 500 }) }, call.behaviour);
}

export async function answerConverseStream(call: Call): Promise<void> {
  if (call.behaviour.ignoreStream) return answerConverse(call);
  const error = (name: string, status: number) => () => ({ event: name, data: JSON.stringify(writeError({ status })) });
  await sendStream(
    call.exchange,
    {
      events: writeEvents(answer(call)),
      writeError: error('internalServerException', 500),
      writeThrottle: error('throttlingException', 429),
      framing: events,
    },
    call.behaviour,
  );
}

export function countConverse(call: Call): number {
  return countInput(readAsMessages(call).request);
}

function readAsMessages(call: Call): { request: MessageRequest; tier: string | undefined } {
  const { messages, answerSchema, tier } = readConverseRequest(call.body, readModelId(call));
  const request = readMessageRequest({ ...call, body: messages });
  return { request: { ...request, answerSchema: answerSchema ?? request.answerSchema }, tier };
}

function answer(call: Call): Answered {
  const { request, tier } = readAsMessages(call);
  const message = makeMessage(request, composeAnswer(makeQuestion(request), call), call);
  return { message, tier: servedTier(tier, call.behaviour, 'default') };
}

function stopReason({ ending }: Message): string {
  const reasons: Readonly<Record<string, string>> = { refusal: 'content_filtered', error: 'malformed_model_output' };
  return reasons[ending.stop_reason] ?? ending.stop_reason;
}

function writeUsage({ usage }: Message): object {
  if (usage.whole === undefined) return {};
  const counts = usage.whole as Record<string, number>;
  const [fresh, read, written, output] = [
    counts['input_tokens'],
    counts['cache_read_input_tokens'],
    counts['cache_creation_input_tokens'],
    counts['output_tokens'],
  ];
  return {
    usage: {
      inputTokens: fresh,
      outputTokens: output,
      totalTokens: Number(fresh) + Number(read) + Number(written) + Number(output),
      cacheReadInputTokens: read,
      cacheWriteInputTokens: written,
    },
  };
}

function writeBlock(block: Message['blocks'][number]): WireObject[] {
  if (block.type === 'text') return [{ text: block.pieces.join('') }];
  if (block.type === 'thinking')
    return [{ reasoningContent: { reasoningText: { text: block.pieces.join(''), signature: block.signature } } }];
  if (block.type !== 'tool_use') return [];
  return [{ toolUse: { toolUseId: block.id, name: block.name, input: block.input } }];
}

function* writeEvents({ message, tier }: Answered): Generator<StreamEvent> {
  const write = (kind: StreamEvent['kind'], event: string, data: object): StreamEvent => ({
    kind,
    event,
    data: JSON.stringify({ ...data, p: 'abcdefgh' }),
  });
  yield write('opening', 'messageStart', { role: 'assistant' });
  const blocks = message.blocks.filter(({ type }) => type === 'text' || type === 'thinking' || type === 'tool_use');
  for (const [contentBlockIndex, block] of blocks.entries()) {
    const delta = (one: object): StreamEvent =>
      write('content', 'contentBlockDelta', { contentBlockIndex, delta: one });
    if (block.type === 'tool_use') {
      const start = { toolUse: { toolUseId: block.id, name: block.name } };
      yield write('opening', 'contentBlockStart', { contentBlockIndex, start });
      for (const input of block.pieces) yield delta({ toolUse: { input } });
    } else if (block.type === 'thinking') {
      for (const text of block.pieces) yield delta({ reasoningContent: { text } });
      yield delta({ reasoningContent: { signature: block.signature } });
    } else if (block.type === 'text') for (const text of block.pieces) yield delta({ text });
    const isLast = contentBlockIndex === blocks.length - 1;
    yield write(isLast ? 'closing' : 'opening', 'contentBlockStop', { contentBlockIndex });
  }
  yield write('closing', 'messageStop', { stopReason: stopReason(message) });
  const usage = writeUsage(message);
  yield write('done', 'metadata', { ...usage, metrics: { latencyMs: 1 }, serviceTier: { type: tier } });
}
