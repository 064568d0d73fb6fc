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
  const text = (setting('TOLLGATE_URL') ?? DEFAULT_URL).replace(/\/+$/, '');
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new Refused(`TOLLGATE_URL is "${text}": it must be an address such as ${DEFAULT_URL}.`);
  return text;
}

export async function callOperator<T>(path: string, call: Call = {}): Promise<T> {
  const response = await send(`/operator/v1${path}`, call, ['TOLLGATE_OPERATOR_KEY', 'an operator key']);
  return (response.status === 204 ? undefined : await readAnswer(response)) as T;
}

export function callPublic(path: string, call: Call = {}): Promise<Response> {
  return send(path, call, ['TOLLGATE_TOKEN', 'an access token']);
}

/** The JSON of an answer. Another program may listen at the address. */
export async function readAnswer<T>(response: Response): Promise<T> {
  const text = await response.text().catch(cutOff);
  try {
    return JSON.parse(text) as T;
  } catch {
    const what = response.headers.get('content-type') ?? 'no content type';
    throw new Refused(`what answers at ${gatewayUrl()} is no gateway (${what} instead of JSON). Check TOLLGATE_URL.`);
  }
}

export async function readBytes(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer().catch(cutOff));
}

export function cutOff(error: unknown): never {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  throw new Refused(`the connection ended before the answer did (${code ?? (error as Error).message}).`);
}

type Credential = readonly [name: string, what: string];

async function send(path: string, { method = 'GET', query = {}, body, form, headers }: Call, credential: Credential) {
  const key = required(credential);
  const url = new URL(gatewayUrl() + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const sent: RequestInit = {
    method,
    redirect: 'manual', // a change would become a read, and the key would go elsewhere
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(form !== undefined && { body: form }),
  };
  const response = await fetch(url, sent).catch((error: unknown) => {
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string };
    throw new Refused(`no gateway answers at ${gatewayUrl()} (${code ?? message}). Set TOLLGATE_URL, or start it.`);
  });
  if (response.ok) return response;
  const hint = response.status === 401 ? ` Check ${credential[0]}.` : '';
  throw new Refused(`${await sentenceOf(response)}${hint}`, response.status);
}

async function sentenceOf(response: Response): Promise<string> {
  const { status, headers } = response;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    return `${status}: ${gatewayUrl()} redirects to ${location}. Set TOLLGATE_URL to the address of the gateway itself.`;
  const text = await response.text().catch(() => '');
  let detail = (headers.get('content-type') ?? '').startsWith('text/html')
    ? 'a web page, no answer of a gateway. Check TOLLGATE_URL.'
    : text.slice(0, 300);
  try {
    const { error } = JSON.parse(text) as ErrorBody;
    if (error?.message !== undefined) detail = `${error.message}${error.code ? ` (${error.code})` : ''}`;
  } catch {
    // No JSON: as it is.
  }
  const id = headers.get('x-request-id');
  return `${status}: ${detail}${id === null ? '' : ` [request ${id}]`}`;
}

function required([name, what]: Credential): string {
  const value = setting(name);
  if (value === undefined) throw new Refused(`set ${name} to ${what}.`);
  if (!/^[!-~]+$/.test(value)) throw new Refused(`${name} has characters that no key has. Copy the key again.`);
  return value;
}

function setting(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
}
