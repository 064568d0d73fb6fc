// A call for a token: a form that is no multipart, and whose fields no record keeps.
import type { Call } from '../protocol.ts';

export function readTokenForm({ exchange: { record } }: Call): URLSearchParams {
  const form = new URLSearchParams(record.rawBody);
  record.rawBody = '(a credential)';
  return form;
}
