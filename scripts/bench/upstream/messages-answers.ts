// The canned answers in the messages protocol: the same text, chunks and usage as in the chat completions protocol, so
// that a translated answer costs more for its translation only.
import { answerText, writeAnswers } from './answers.ts';

const head = { id: 'msg_bench0123456789abcdef', type: 'message', role: 'assistant', model: 'bench-upstream' };
const usage = {
  input_tokens: 312,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: 48,
  service_tier: 'standard',
};

function writeEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

const message = {
  ...head,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { ...usage, output_tokens: 1 },
};

export const messagesAnswers = writeAnswers({
  whole: {
    ...head,
    content: [{ type: 'text', text: answerText }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
  },
  stream: {
    before: [
      writeEvent('message_start', { message }),
      writeEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      writeEvent('ping', {}),
    ],
    chunk: writeEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text: ' word' } }),
    after: [
      writeEvent('content_block_stop', { index: 0 }),
      writeEvent('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: usage.output_tokens },
      }),
      writeEvent('message_stop', {}),
    ],
  },
});
