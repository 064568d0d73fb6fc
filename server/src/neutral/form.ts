// A form as it was read from the client: its parts, and where their values lie. It is sent only as rewritten from these
// parts, so that what was checked is what an upstream reads.
/** Fields whose text may be a whole picture, as a data URL: as large as a file, so it is `read` like one. */
export const PICTURE_FIELD = /^(?:images?(?:\[\d{0,4}\])?|mask|input_reference(?:\[image_url\])?)$/;

export interface FormPart {
  readonly name: string;
  /** Present for files, also when empty. */
  readonly filename: string | undefined;
  /** Of files only: a text has none upstream. */
  readonly contentType: string | undefined;
  /** Byte offsets of the value in the body. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface FormChanges {
  /** New values by name, as text, each once: in place of the first part of that name, or at the end. */
  readonly set?: Readonly<Record<string, string>>;
  /** Names whose parts are left out; this comes before `set`. */
  readonly remove?: readonly string[];
}

export interface Form {
  readonly parts: readonly FormPart[];
  /** The value of a part that is no file and no picture. */
  text(part: FormPart): string;
  /** All parts in their order with their bytes, under a new boundary and headers that say nothing else. */
  rewrite(changes: FormChanges): FormBody;
  read(start: number, end: number): Promise<Buffer>;
  /** Gives the bytes up, also in the middle of sending; may be called again. */
  discard(): Promise<void>;
}

export interface FormBody {
  /** With the boundary of this body. */
  readonly contentType: string;
  readonly length: number;
  /** May be opened several times. A piece is good until the next one is asked for. */
  open(): AsyncIterable<Buffer>;
}
