// Credentials that are sent as they are: one key, in the header that the vendor wants it in.
import type { Sign } from './sign.ts';

export const bearer: Sign = (_request, key) => (key === '' ? {} : { authorization: `Bearer ${key}` });

/** A header of the vendor's own. */
export function keyHeader(name: string): Sign {
  return (_request, key) => (key === '' ? {} : { [name]: key });
}
