// Size and quality of an image decide its price, so each has one spelling only (spec 2.8).
import { invalidRequest } from '../../errors/gateway-error.ts';

const PIXELS = /^[1-9]\d{0,4}x[1-9]\d{0,4}$/;
/** `auto` and the like, or a vendor's `2K`. */
const WORD = /^(?:[a-z][a-z_-]{0,31}|[1-9]\d?k)$/i;
const MULTIPLICATION_SIGN = '\u00d7';

export function checkSize(size: string | undefined): string | undefined {
  if (size === undefined || PIXELS.test(size) || WORD.test(size)) return size;
  if (size.includes(MULTIPLICATION_SIGN)) {
    throw invalidRequest(
      "'size' is written with the multiplication sign. Use the letter x between width and height, as in 1024x1024.",
      'size',
    );
  }
  throw invalidRequest(
    "'size' must be <width>x<height> with the letter x, as in 1024x1024, or a word such as auto.",
    'size',
  );
}

/** Upstreams may trim what the list of prices does not know. */
const QUALITY = /^[a-z0-9][a-z0-9._-]{0,31}$/i;

export function checkQuality(quality: string | undefined): string | undefined {
  if (quality === undefined || QUALITY.test(quality)) return quality;
  throw invalidRequest("'quality' must be a word such as high, without spaces.", 'quality');
}
