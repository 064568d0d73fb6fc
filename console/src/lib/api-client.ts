// Calls to the operator API, or on pages of the portal to the portal's: the session's cookie goes by itself, its CSRF token with every change, and answers are checked
// against the contract's schemas.
import type { z } from 'zod';
import { languageTag } from '../i18n/language.ts';
import { readApiError } from './api-error.ts';
import { apiUrl } from './addresses.ts';
import { takeOverwrite } from './overwrite.ts';
import { noteReached, noteUnreachable } from './reachable.ts';

export type Query = Record<string, string | number | boolean | null | undefined | readonly string[]>;

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
  const target = `${method} ${path}`;
  const match = etag === undefined ? undefined : takeOverwrite(target) ? '*' : `"${etag}"`;
  const response = await reach(`${apiUrl}${path}${writeQuery(query)}`, {
    method,
    credentials: 'same-origin',
    headers: {
      'accept-language': languageTag,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && csrf !== null && { 'x-csrf-token': csrf }),
      ...(match !== undefined && { 'if-match': match }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  if (!response.ok) {
    const error = await readApiError(response, response.status === 412 ? { target, path, body } : undefined);
    if (response.status === 401 && path !== '/session') onSignedOut();
    throw error;
  }
  return schema.parse(response.status === 204 ? undefined : await response.json());
}

async function reach(url: string, options: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, options);
    noteReached();
    return response;
  } catch (error) {
    if (error instanceof TypeError) noteUnreachable();
    throw error;
  }
}

export function writeQuery(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value as readonly string[]) parameters.append(name, one);
    else if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
