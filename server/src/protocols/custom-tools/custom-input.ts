// The text inside the arguments of a function that stands for a custom tool, read while they come. A model that does not
// keep to the one field is taken at its word: what it wrote is the input.
import { asText, parseRecord } from '../json/json-value.ts';
import { INPUT } from './custom-tool.ts';

const OPENING = new RegExp(`^\\s*\\{\\s*"${INPUT}"\\s*:\\s*"`);
/** What may still become the opening. */
const MOST_OPENING = 256;
const ESCAPE = '\\';
const HIGH_HALF = /^\\u[dD][89abAB]/;
/** Of an escape by number, and of a character that takes two of them. */
const LONG_ESCAPE = 6;
const PAIR = 12;

export function inputOf(text: string): string {
  if (text.trim() === '') return '';
  const record = parseRecord(text);
  if (record === undefined) return text;
  const input = asText(record[INPUT]);
  if (input !== undefined) return input;
  const values = Object.values(record);
  if (values.length === 0) return '';
  return (values.length === 1 ? asText(values[0]) : undefined) ?? text;
}

export class CustomInput {
  #state: 'opening' | 'inside' | 'whole' | 'over' = 'opening';
  #waiting = '';

  /** What of the input this piece of the arguments adds. */
  push(piece: string): string {
    this.#waiting += piece;
    if (this.#state === 'opening') this.#open();
    return this.#state === 'inside' ? this.#decode() : '';
  }

  /** What is still to be said when the arguments are over. */
  end(): string {
    const state = this.#state;
    this.#state = 'over';
    // An escape that was cut is none; whatever else waits has been neither text nor the opening of one.
    return state === 'opening' || state === 'whole' ? inputOf(this.#waiting) : '';
  }

  #open(): void {
    const opening = OPENING.exec(this.#waiting)?.[0];
    if (opening !== undefined) {
      this.#state = 'inside';
      this.#waiting = this.#waiting.slice(opening.length);
    } else if (this.#waiting.length > MOST_OPENING) this.#state = 'whole';
  }

  #decode(): string {
    const { ready, isOver } = scan(this.#waiting);
    if (isOver) this.#state = 'over';
    const text = this.#waiting.slice(0, ready);
    this.#waiting = this.#waiting.slice(ready);
    return decode(text);
  }
}

/** How much of the text is whole: up to its closing quote, or to an escape whose rest comes with the next piece. */
function scan(text: string): { ready: number; isOver: boolean } {
  let index = 0;
  while (index < text.length) {
    if (text[index] === '"') return { ready: index, isOver: true };
    if (text[index] === ESCAPE) {
      const length = lengthOfEscape(text, index);
      if (index + length > text.length) return { ready: index, isOver: false };
      index += length;
    } else index++;
  }
  return { ready: index, isOver: false };
}

function lengthOfEscape(text: string, index: number): number {
  if (text[index + 1] !== 'u') return 2;
  const next = text[index + LONG_ESCAPE] ?? ESCAPE;
  return HIGH_HALF.test(text.slice(index)) && next === ESCAPE ? PAIR : LONG_ESCAPE;
}

/** Control characters are no JSON, yet models write them. */
function decode(text: string): string {
  if (!text.includes('\\')) return text;
  const escaped = text.replace(/\p{Cc}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  try {
    return asText(JSON.parse(`"${escaped}"`)) ?? text;
  } catch {
    return text;
  }
}
