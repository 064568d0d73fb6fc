// Calls to the operator API, or on pages of the portal to the portal's: the session's cookie goes by itself, its CSRF token with every change, and answers are checked
// against the contract's schemas.
import type { z } from 'zod';
import { readApiError } from './api-error.ts';
import { apiUrl } from './addresses.ts';

export type Query = Record<string, string | number | boolean | null | undefined>;

interface Call<T extends z.ZodType> {
  schema: T;
  query?: Query;
  body?: unknown;
  /** What the change is made upon: refused where somebody has changed it meanwhile. */
  etag?: string | undefined;
  signal?: AbortSignal;
}

let csrf: string | null = null;
let onSignedOut = (): void => {};

/** Set by the session's query whenever it is read. */
export function rememberCsrf(token: string | null): void {
  csrf = token;
}

/** What to do when the gateway says that nobody is signed in. */
export function watchSignOut(listener: () => void): void {
  onSignedOut = listener;
}

export async function callApi<T extends z.ZodType>(
  method: string,
  path: string,
  { schema, query, body, etag, signal }: Call<T>,
): Promise<z.output<T>> {
  const response = await fetch(`${apiUrl}${path}${writeQuery(query)}`, {
    method,
    credentials: 'same-origin',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && csrf !== null && { 'x-csrf-token': csrf }),
      ...(etag !== undefined && { 'if-match': `"${etag}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  if (!response.ok) {
    const error = await readApiError(response);
    if (response.status === 401 && path !== '/session') onSignedOut();
    throw error;
  }
  return schema.parse(response.status === 204 ? undefined : await response.json());
}

export function writeQuery(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
