// Something that an upstream made with an answer and keeps under its id: a caller may name it later.
export interface MadeObject {
  id: string;
  kind: 'item' | 'container' | 'file' | 'audio';
}

/** Finds what an answer made, of requests that can make something. */
export interface MadeReader {
  whole(body: Buffer): MadeObject[];
  /** Of a block of whole events. */
  events(bytes: Buffer): MadeObject[];
}
