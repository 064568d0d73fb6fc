// The head of a request as it goes onto the wire. Whatever could end a line before its end, or frame the message in another
// way than the client does, is refused before anything is sent.
import { HEADER_NAME, NOT_IN_HEADER_VALUE } from '../../shared/header-text.ts';
import { errors } from '../../shared/runtime/undici.ts';

export interface SmallRequest {
  path: string;
  method: 'GET' | 'POST' | 'DELETE';
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
}

const BAD_PATH = /^[^/]|[^\x21-\xff]/;
/** Those that the client writes itself, or has no use for. */
const OWN = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const NAMES_KEPT = 256;
const goodNames = new Set<string>();

export function writeHead({ path, method, headers, body }: SmallRequest, host: string): string {
  if (path === '' || BAD_PATH.test(path)) throw new errors.InvalidArgumentError('invalid request path');
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined) continue;
    if (!goodNames.has(name)) checkName(name);
    if (NOT_IN_HEADER_VALUE.test(value)) throw new errors.InvalidArgumentError(`invalid ${name} header`);
    head += `${name}: ${value}\r\n`;
  }
  const length = body?.length ?? 0;
  return length > 0 || method === 'POST' ? `${head}content-length: ${length}\r\n\r\n` : `${head}\r\n`;
}

function checkName(name: string): void {
  if (!HEADER_NAME.test(name) || OWN.has(name.toLowerCase()))
    throw new errors.InvalidArgumentError('invalid header name');
  if (goodNames.size < NAMES_KEPT) goodNames.add(name);
}
