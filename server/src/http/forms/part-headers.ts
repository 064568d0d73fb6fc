// Reads the headers of one part (RFC 7578 section 4). What two readers could understand differently is refused, so that an
// upstream sees the same fields as the gateway did.
import { invalidRequest } from '../../errors/gateway-error.ts';

export interface PartHeaders {
  name: string;
  filename: string | undefined;
  contentType: string | undefined;
}

const LINE = /^([!#$%&'*+.^_`|~0-9a-z-]+):([^\p{Cc}]*)$/iu;
// Every text matches in one way only, so that no header makes the search slow.
const PARAMETER = /;[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+)=(?:"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"|([^\s;"]+))[ \t]*/giuy;
const PLAIN_ENCODINGS = ['7bit', '8bit', 'binary'];

/** `block` is what stands between the boundary and the empty line, with the last line break. */
export function readPartHeaders(block: Buffer): PartHeaders {
  const headers = new Map<string, string>();
  for (const line of block.toString('utf8').split('\r\n').slice(0, -1)) {
    const [, name, value] = LINE.exec(line.replaceAll('\t', ' ')) ?? malformed();
    const key = String(name).toLowerCase();
    if (headers.has(key)) malformed();
    headers.set(key, String(value).trim());
  }
  const disposition = headers.get('content-disposition');
  if (disposition === undefined) throw invalidRequest('A part of the form has no Content-Disposition.');
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding !== undefined && !PLAIN_ENCODINGS.includes(encoding))
    throw invalidRequest('A part of the form has a Content-Transfer-Encoding. Send its bytes as they are.');
  return { ...readDisposition(disposition), contentType: headers.get('content-type') };
}

function readDisposition(disposition: string): Pick<PartHeaders, 'name' | 'filename'> {
  const kind = /^form-data[ \t]*(?=;|$)/iu.exec(disposition)?.[0];
  if (kind === undefined) throw invalidRequest('The Content-Disposition of a part is not form-data.');
  const values = new Map<string, string>();
  const parameter = new RegExp(PARAMETER);
  parameter.lastIndex = kind.length;
  while (parameter.lastIndex < disposition.length) {
    const [, key, quoted, plain] = parameter.exec(disposition) ?? malformed();
    const name = String(key).toLowerCase();
    // RFC 2231 forms other than filename* are known to some readers only.
    if (values.has(name) || (name.includes('*') && name !== 'filename*')) malformed();
    values.set(name, quoted === undefined ? String(plain) : unescape(quoted));
  }
  const name = values.get('name');
  if (name === undefined || name === '') throw invalidRequest('A part of the form has no name.');
  const extended = values.get('filename*');
  return { name, filename: extended === undefined ? values.get('filename') : readExtended(extended) };
}

/** Backslashes as RFC 2183 and curl write them; the three percent escapes of browsers and of the vendors' libraries. */
function unescape(quoted: string): string {
  return quoted
    .replace(/\\(["\\])/gu, '$1')
    .replace(/%(22|0D|0A)/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** RFC 5987: charset'language'percent-encoded. */
function readExtended(text: string): string {
  const [, charset, encoded] = /^(utf-8|iso-8859-1)'[a-z0-9-]*'([^'"]*)$/iu.exec(text) ?? malformed();
  if (String(charset).toLowerCase() === 'iso-8859-1')
    return String(encoded).replace(/%([0-9a-f]{2})/giu, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  try {
    return decodeURIComponent(String(encoded));
  } catch {
    return malformed();
  }
}

function malformed(): never {
  throw invalidRequest('The headers of a part of the form are malformed.');
}
