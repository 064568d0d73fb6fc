// The canned answers of the upstream, made once: a chat completion of 0.6 KB and the parts of a streamed one.
// Each streamed event is already framed as one chunk of a chunked body.

const common = { id: 'chatcmpl-bench0123456789abcdef', created: 1_760_000_000, model: 'bench-upstream' };
const usage = {
  prompt_tokens: 312,
  completion_tokens: 48,
  total_tokens: 360,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
};

/** Text found in every whole answer, by which set-up knows that a relay reached this upstream. */
export const answerMark = 'canned answer of the bench upstream';

function writeWholeAnswer(): Buffer {
  const content = `This is the ${answerMark}; it is long enough to resemble a short reply to a question.`;
  const message = { role: 'assistant', content, refusal: null, annotations: [] };
  const body = JSON.stringify({
    ...common,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage,
    service_tier: 'default',
    system_fingerprint: 'fp_bench',
    text: 'ok', // which makes it a transcript as well
  });
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function frame(data: string): string {
  const event = `data: ${data}\n\n`;
  return `${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`;
}

function writeChunk(fields: object): string {
  return frame(JSON.stringify({ ...common, object: 'chat.completion.chunk', service_tier: 'default', ...fields }));
}

export const wholeAnswer = writeWholeAnswer();
export const streamHead = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\n' +
    'transfer-encoding: chunked\r\n\r\n',
);
export const streamChunk = Buffer.from(
  writeChunk({ choices: [{ index: 0, delta: { content: ' word' }, logprobs: null, finish_reason: null }] }),
);
export const streamEnd = Buffer.from(`${writeChunk({ choices: [], usage })}${frame('[DONE]')}0\r\n\r\n`);
