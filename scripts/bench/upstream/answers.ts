// What the canned answers of the upstream have in common, whatever protocol they are in. They are made once, as bytes
// ready to be sent; each streamed event is already framed as one chunk of a chunked body.

/** Text found in every whole answer, by which set-up knows that a relay reached this upstream. */
export const answerMark = 'canned answer of the bench upstream';

export const answerText = `This is the ${answerMark}; it is long enough to resemble a short reply to a question.`;

export interface Answers {
  whole: Buffer;
  /** Head and first chunk of a streamed answer. */
  streamStart: Buffer;
  streamChunk: Buffer;
  streamEnd: Buffer;
}

const streamHead =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\n' +
  'transfer-encoding: chunked\r\n\r\n';

/** One event as a chunk of a chunked body. */
export function frame(event: string): string {
  return `${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`;
}

function writeWhole(answer: object): Buffer {
  const body = JSON.stringify(answer);
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export interface Content {
  whole: object;
  /** Events before the first chunk, the event of every chunk, and those after the last. */
  stream: { before: readonly string[]; chunk: string; after: readonly string[] };
}

export function writeAnswers({ whole, stream: { before, chunk, after } }: Content): Answers {
  return {
    whole: writeWhole(whole),
    streamStart: Buffer.from(`${streamHead}${[...before, chunk].map(frame).join('')}`),
    streamChunk: Buffer.from(frame(chunk)),
    streamEnd: Buffer.from(`${after.map(frame).join('')}0\r\n\r\n`),
  };
}
