// A form as it came from the client: where each part's value lies in the body, and the body itself, which can be sent
// again as it was or with some fields changed.
/** Fields whose text may be a whole picture, as a data URL: as large as a file, so it is `read` like one. */
export const PICTURE_FIELD = /^(?:images?(?:\[\d{0,4}\])?|mask|input_reference(?:\[image_url\])?)$/;

export interface FormPart {
  readonly name: string;
  /** Present for files, also when empty. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  /** Byte offsets of the value in the body. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface FormChanges {
  /** New values by name; every part of that name gets it, and a name that no part has is added at the end. */
  readonly set?: Readonly<Record<string, string>>;
  /** Names whose parts are left out; this comes before `set`. */
  readonly remove?: readonly string[];
}

export interface Form {
  /** The client's content type with its boundary: also that of every rewritten body. */
  readonly contentType: string;
  readonly parts: readonly FormPart[];
  readonly length: number;
  /** The value of a part that is no file and no picture. */
  text(part: FormPart): string;
  /** Every byte outside the changed parts stays as it came. */
  rewrite(changes: FormChanges): FormBody;
  read(start: number, end: number): Promise<Buffer>;
  /** Gives the bytes up, also in the middle of sending; may be called again. */
  discard(): Promise<void>;
}

export interface FormBody {
  readonly length: number;
  /** May be opened several times. A piece is good until the next one is asked for. */
  open(): AsyncIterable<Buffer>;
}
