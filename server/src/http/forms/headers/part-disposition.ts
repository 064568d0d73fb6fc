// Reads the Content-Disposition of one part: the name of its field and, of a file, the name of the file (RFC 7578 section 4.2).
import { invalidRequest } from '../../../errors/gateway-error.ts';
import { quoteStart, readParameters } from './header-parameters.ts';

const HEADER = 'The Content-Disposition of a part of the form';
/** Characters that some readers unescape, cut at or take for another parameter; U+FFFD is what was no UTF-8. */
const NO_NAME = /[\p{Cc}"\\;=%\ufffd]|^\s|\s$/u;
/** An HTML form names its alphabet with it (`_charset_`), and some readers obey. */
const CHARSET_FIELD = '_charset_';
/** Readers that build an object from a form would change all objects by it, or lose it. */
const PROTOTYPE_FIELD = /__proto__|^constructor\[|\[constructor\]/u;
const MOST_FILENAME = 200;

export function readDisposition(disposition: string): { name: string; filename: string | undefined } {
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
