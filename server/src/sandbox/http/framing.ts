// How the pieces of a streamed answer are set apart on the wire.

export type Framing = {
  contentType: string;
  /** `index` counts the pieces before this one. */
  frame(piece: { event?: string; data: string }, index: number): string | Buffer;
  /** What comes after the last of so many pieces. */
  writeEnd(count: number): string;
  /** The same piece with a fault that its own checksum tells; where there is none, nothing can be damaged. */
  damage?(bytes: Buffer): Buffer;
};

/** https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function frameAsEvents(newline: string): Framing {
  return {
    contentType: 'text/event-stream; charset=utf-8',
    frame({ event, data }) {
      const name = event === undefined ? '' : `event: ${event}${newline}`;
      return `${name}data: ${data}${newline}${newline}`;
    },
    writeEnd: () => '',
  };
}

/** One JSON array whose elements arrive one by one. */
export const frameAsArray: Framing = {
  contentType: 'application/json; charset=UTF-8',
  frame: ({ data }, index) => `${index === 0 ? '[' : ',\r\n'}${data}\n`,
  writeEnd: (count) => (count === 0 ? '[]' : ']'),
};
