// Reads the headers of one part (RFC 7578 section 4). What two readers could understand differently is refused; what is left
// is all that goes upstream of them.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import { quoteStart, readParameters } from './header-parameters.ts';
import { type Alphabet, readFileType, readTextType } from './part-type.ts';

export interface PartHeaders {
  name: string;
  filename: string | undefined;
  /** Of a file only. */
  contentType: string | undefined;
  /** Of a text that names one. */
  alphabet: Alphabet | undefined;
}

const LINE = /^([!#$%&'*+.^_`|~0-9a-z-]+):([^\p{Cc}]*)$/iu;
const PLAIN_ENCODINGS = ['7bit', '8bit', 'binary'];

/** `block` is what stands between the boundary and the empty line, with the last line break. */
export function readPartHeaders(block: Buffer): PartHeaders {
  const headers = readLines(block);
  const disposition = headers.get('content-disposition');
  if (disposition === undefined) throw invalidRequest('A part of the form has no Content-Disposition.');
  const { name, filename } = readDisposition(disposition);
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding !== undefined && !PLAIN_ENCODINGS.includes(encoding))
    throw invalidRequest(
      `The part ${quoteStart(name)} has the Content-Transfer-Encoding ${quoteStart(encoding)}. Send its bytes as they are.`,
      name,
    );
  const type = headers.get('content-type');
  if (filename !== undefined) return { name, filename, contentType: readFileType(type, name), alphabet: undefined };
  return { name, filename, contentType: undefined, alphabet: readTextType(type, name) };
}

function readLines(block: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of block.toString('utf8').split('\r\n').slice(0, -1)) {
    const [, name = '', value = ''] = LINE.exec(line.replaceAll('\t', ' ')) ?? [];
    const key = name.toLowerCase();
    if (key === '') throw invalidRequest(`A part of the form has the malformed header line ${quoteStart(line)}.`);
    if (headers.has(key)) throw invalidRequest(`A part of the form has the header ${quoteStart(name)} more than once.`);
    headers.set(key, value.trim());
  }
  return headers;
}

// Content-Disposition: the name of the field and, of a file, the name of the file (section 4.2).
const HEADER = 'The Content-Disposition of a part of the form';
/** Characters that some readers unescape, cut at or take for another parameter; U+FFFD is what was no UTF-8. */
const NO_NAME = /[\p{Cc}"\\;=%\ufffd]|^\s|\s$/u;
/** An HTML form names its alphabet with it (`_charset_`), and some readers obey. */
const CHARSET_FIELD = '_charset_';
/** Readers that build an object from a form would change all objects by it, or lose it. */
const PROTOTYPE_FIELD = /__proto__|^constructor\[|\[constructor\]/u;
const MOST_FILENAME = 200;

function readDisposition(disposition: string): { name: string; filename: string | undefined } {
  const kind = /^form-data[ \t]*(?=;|$)/iu.exec(disposition)?.[0];
  if (kind === undefined) throw invalidRequest(`${HEADER} is not form-data.`);
  const values = readParameters(disposition, kind.length, { header: HEADER, extended: ['filename*'] });
  const name = values.get('name');
  if (name === undefined || name === '') throw invalidRequest('A part of the form has no name.');
  checkName(name);
  const [plain, extended] = [values.get('filename'), values.get('filename*')];
  const filename = extended === undefined ? plain && unescape(plain) : readExtended(extended, name);
  return { name, filename: filename && cleanFilename(filename) };
}

function checkName(name: string): void {
  const wrong = NO_NAME.exec(name)?.[0];
  if (wrong !== undefined)
    throw invalidRequest(`The field name ${quoteStart(name)} has the character ${quoteStart(wrong)}.`);
  if (PROTOTYPE_FIELD.test(name)) throw invalidRequest(`The field name ${quoteStart(name)} is not supported.`, name);
  if (name.toLowerCase() === CHARSET_FIELD)
    throw invalidRequest(`The field ${CHARSET_FIELD} is not supported. Send the form in UTF-8 without it.`, name);
}

/** Backslashes as RFC 2183 and curl write them; the escape of browsers and of the vendors' libraries. */
function unescape(quoted: string): string {
  return quoted.replace(/\\(["\\])/gu, '$1').replaceAll('%22', '"');
}

/** RFC 5987: charset'language'percent-encoded. Some libraries of clients send it beside `filename`, and mean the same. */
function readExtended(text: string, field: string): string {
  const [, charset, encoded = ''] = /^(utf-8|iso-8859-1)'[a-z0-9-]*'([^'"\\]*)$/iu.exec(text) ?? [];
  try {
    if (charset?.toLowerCase() === 'utf-8') return decodeURIComponent(encoded);
    if (charset !== undefined)
      return encoded.replace(/%([0-9a-f]{2})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  } catch {
    // said below
  }
  throw invalidRequest(`The part ${quoteStart(field)} has the malformed filename* ${quoteStart(text)}.`, field);
}

/** Without folders, which are the client's own, and without what would need an escape that readers disagree on. */
function cleanFilename(filename: string): string {
  const plain = filename.replace(/^.*[/\\]/su, '').replace(/\p{Cc}/gu, '_');
  return Array.from(plain).slice(-MOST_FILENAME).join('');
}
