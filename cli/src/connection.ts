// Calls to a gateway: the operator API with an operator key, the public one with a token. Failures are sentences.
import { Refused } from './refused.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface Call {
  method?: string;
  query?: Record<string, string | undefined>;
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

interface ErrorBody {
  error?: { message?: string; param?: string | null; code?: string | null };
}

export function gatewayUrl(): string {
  return (setting('TOLLGATE_URL') ?? DEFAULT_URL).replace(/\/+$/, '');
}

export async function callOperator<T>(path: string, call: Call = {}): Promise<T> {
  const response = await send(`/operator/v1${path}`, call, required('TOLLGATE_OPERATOR_KEY', 'an operator key'));
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export function callPublic(path: string, call: Call = {}): Promise<Response> {
  return send(path, call, required('TOLLGATE_TOKEN', 'an access token'));
}

async function send(path: string, { method = 'GET', query = {}, body, form, headers }: Call, key: string) {
  const url = new URL(gatewayUrl() + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const sent: RequestInit = {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(form !== undefined && { body: form }),
  };
  const response = await fetch(url, sent).catch((error: unknown) => {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    throw new Refused(
      `no gateway answers at ${gatewayUrl()} (${code ?? (error as Error).message}). Set TOLLGATE_URL, or start it.`,
    );
  });
  if (response.ok) return response;
  throw new Refused(await sentenceOf(response), response.status);
}

async function sentenceOf(response: Response): Promise<string> {
  const text = await response.text();
  let detail = text.slice(0, 300);
  try {
    const { error } = JSON.parse(text) as ErrorBody;
    if (error?.message !== undefined) detail = `${error.message}${error.code ? ` (${error.code})` : ''}`;
  } catch {
    // No JSON: as it is.
  }
  const id = response.headers.get('x-request-id');
  return `${response.status}: ${detail}${id === null ? '' : ` [request ${id}]`}`;
}

function required(name: string, what: string): string {
  const value = setting(name);
  if (value === undefined) throw new Refused(`set ${name} to ${what}.`);
  return value;
}

function setting(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
}
