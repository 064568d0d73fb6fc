// The canned answers in the chat completions protocol: a completion of 0.6 KB and the parts of a streamed one.
import { answerText, frame, writeAnswers } from './answers.ts';

const common = { id: 'chatcmpl-bench0123456789abcdef', created: 1_760_000_000, model: 'bench-upstream' };
const usage = {
  prompt_tokens: 312,
  completion_tokens: 48,
  total_tokens: 360,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
};
const message = { role: 'assistant', content: answerText, refusal: null, annotations: [] };

function writeChunk(fields: object): string {
  const chunk = { ...common, object: 'chat.completion.chunk', service_tier: 'default', ...fields };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function writeWords(content: string): string {
  return writeChunk({ choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }] });
}

/** A chunk with `bytes` of text, framed. */
export function longChunk(bytes: number): Buffer {
  return Buffer.from(frame(writeWords('x'.repeat(bytes))));
}

export const chatAnswers = writeAnswers({
  whole: {
    ...common,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage,
    service_tier: 'default',
    system_fingerprint: 'fp_bench',
    text: 'ok', // which makes it a transcript as well
  },
  stream: {
    before: [],
    chunk: writeWords(' word'),
    after: [writeChunk({ choices: [], usage }), 'data: [DONE]\n\n'],
  },
});
