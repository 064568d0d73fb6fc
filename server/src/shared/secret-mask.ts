// Hides secrets in bytes that pass by. A mask is as long as what it hides, so nothing else moves: lengths and places that
// were read stay true, and whole events are never held back. Here because what comes from an upstream is masked where it
// comes in, and what a secret is only routing knows.

/** Shorter ones are words that people write where no key is needed. */
const SHORTEST = 8;
/** Letters alone are a word, unless they are this many. */
const LONGEST_WORD = 16;
const STAR = 0x2a;

export class SecretMask {
  /** Each as it is, as writers of JSON escape it, and as a part of an address. */
  readonly #patterns: readonly Buffer[];
  readonly #longest: number;
  /** Bytes that stand in a pattern before its end, each marked with 1. */
  readonly #inside = new Uint8Array(256);
  readonly #secrets: readonly string[];

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
    const forms = secrets.filter(isSecret).flatMap(formsOf);
    this.#patterns = [...new Set(forms)].map((form) => Buffer.from(form, 'latin1'));
    this.#longest = Math.max(0, ...this.#patterns.map(({ length }) => length));
    for (const pattern of this.#patterns) for (const byte of pattern.subarray(0, -1)) this.#inside[byte] = 1;
  }

  /** One that hides these too. */
  with(more: readonly string[]): SecretMask {
    return new SecretMask([...this.#secrets, ...more]);
  }

  /** There is nothing to hide. */
  get isIdle(): boolean {
    return this.#patterns.length === 0;
  }

  /** In place. */
  hide(bytes: Buffer): void {
    for (const pattern of this.#patterns) {
      for (let at = bytes.indexOf(pattern); at !== -1; at = bytes.indexOf(pattern, at + pattern.length))
        bytes.fill(STAR, at, at + pattern.length);
    }
  }

  hideText(text: string): string {
    let shown = text;
    for (const pattern of this.#patterns)
      shown = shown.replaceAll(pattern.toString('latin1'), '*'.repeat(pattern.length));
    return shown;
  }

  /** How many of the last bytes may be the begin of a secret that goes on in the next piece. */
  openEnd(bytes: Buffer): number {
    const end = bytes.length;
    // An event ends with a line, which is in no secret: almost always that is all there is to see.
    if (end === 0 || this.#inside[bytes[end - 1] as number] === 0) return 0;
    for (let at = Math.max(0, end - this.#longest + 1); at < end; at++)
      for (const pattern of this.#patterns) if (goesOn(bytes, at, pattern)) return end - at;
    return 0;
  }
}

/** Some writers of JSON escape slashes, others what HTML might read, with digits of either case. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const inHtml = [/[<>&]/g, /[<>&'+`]/g].map((characters) => json.replace(characters, escapeCode));
  const inAddress = encodeURIComponent(secret);
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    inAddress,
    ...inHtml.flatMap((one) => [one, one.replace(/\\u..../g, (code) => `\\u${code.slice(2).toUpperCase()}`)]),
    inAddress.replace(/%../g, (code) => code.toLowerCase()),
  ];
}

function escapeCode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Are the bytes from here to the end the begin of a longer pattern? */
function goesOn(bytes: Buffer, start: number, pattern: Buffer): boolean {
  const length = bytes.length - start;
  if (length >= pattern.length) return false;
  for (let index = 0; index < length; index++) if (bytes[start + index] !== pattern[index]) return false;
  return true;
}

function isSecret(text: string): boolean {
  return text.length >= LONGEST_WORD || (text.length >= SHORTEST && /[^a-z]/i.test(text));
}
