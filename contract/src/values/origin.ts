// The origin of a page, as browsers send it: scheme, host and port, nothing else.
import { z } from 'zod';

export const origin = z.string().max(300).refine(isOrigin, { error: 'must be an origin such as https://app.example' });

/** Of pages, and of extensions and apps, whose schemes browsers take as they are. */
export function isOrigin(text: string): boolean {
  if (!/^https?:/i.test(text)) return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+$/.test(text);
  return URL.canParse(text) && new URL(text).origin === text;
}
