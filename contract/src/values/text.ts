// Text as operators may write it: no control characters, which one of the databases cannot keep and no screen can show.
import { z } from 'zod';

const PRINTABLE = /^[^\p{Cc}\p{Cs}]*$/u;
const PRINTABLE_LINES = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;

/** One line of at least one character. */
export function line(maximum: number) {
  return z.string().min(1).max(maximum).regex(PRINTABLE, 'must not contain control characters');
}

/** Any number of lines, also none. */
export function lines(maximum: number) {
  return z.string().max(maximum).regex(PRINTABLE_LINES, 'must not contain control characters');
}

export const id = line(100);
/** Of a line of a batch it ends with the line's `custom_id`, which its client chose: up to 256 characters. */
export const requestId = line(400);
export const displayName = line(100);

export const groupName = z
  .string()
  .max(64)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._:-]*$/u,
    'must begin with a letter or digit and go on with letters, digits, spaces or . _ : -',
  );

export const modelId = z
  .string()
  .max(200)
  .regex(/^[^\s*\p{Cc}\p{Cs}]+$/u, 'must be a model name without spaces and without *')
  .refine((name) => name !== '__proto__', 'must not be __proto__');

/** An exact model name, or `prefix*`. */
export const modelPattern = z
  .string()
  .max(201)
  .regex(/^(?:[^\s*\p{Cc}\p{Cs}]+\*?|\*)$/u, 'must be an exact model name or a prefix followed by *');

/** null = every model. */
export const modelPatterns = z.array(modelPattern).max(1000).nullable();
