// The Content-Type of one part. That of a file is rewritten; a text has none upstream, because readers choose by it
// whether a part is a file and in which alphabet it is written.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import { quoteStart, readParameters } from './header-parameters.ts';

const ESSENCE = /^([!#$%&'*+.^_`|~0-9a-z-]+)\/([!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*(?=;|$)/iu;
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/iu;
const TEXT_TYPE = /^(?:text\/|application\/json$)/u;
const UTF8 = new Set(['utf-8', 'utf8']);
/** The same as UTF-8 for a text of ASCII alone; some libraries of clients name the first of them with every text. */
const LIKE_ASCII = new Set(['iso-8859-1', 'us-ascii', 'ascii', 'latin1', 'windows-1252']);

export type Alphabet = 'utf-8' | 'ascii';

/** The type of a file as it goes upstream. */
export function readFileType(text: string | undefined, field: string): string {
  if (text === undefined || text === '') return 'application/octet-stream';
  const { essence, parameters } = readType(text, field);
  if (/^(?:multipart|message)\//u.test(essence))
    throw invalidRequest(`The part ${quoteStart(field)} is a ${essence}. Send each file as a part of its own.`, field);
  return essence + [...parameters].map(([name, value]) => `; ${name}=${writeValue(value)}`).join('');
}

/** The alphabet of a text where its part names one. */
export function readTextType(text: string | undefined, field: string): Alphabet | undefined {
  if (text === undefined || text === '') return undefined;
  const { essence, parameters } = readType(text, field);
  if (!TEXT_TYPE.test(essence))
    throw invalidRequest(
      `The part ${quoteStart(field)} has the type ${essence}, but no filename. Give a file a filename, and a text no type.`,
      field,
    );
  const charset = parameters.get('charset');
  return charset === undefined ? undefined : readCharset(charset, `The field ${quoteStart(field)}`);
}

/** Other alphabets would be read by some upstreams, and by others not. */
export function readCharset(charset: string, where: string): Alphabet {
  const name = charset.toLowerCase();
  if (UTF8.has(name)) return 'utf-8';
  if (LIKE_ASCII.has(name)) return 'ascii';
  throw invalidRequest(`${where} has the charset ${quoteStart(charset)}. Send UTF-8.`);
}

function readType(text: string, field: string): { essence: string; parameters: Map<string, string> } {
  const header = `The Content-Type of the part ${quoteStart(field)}`;
  const essence = ESSENCE.exec(text)?.[0];
  if (essence === undefined) throw invalidRequest(`${header} is malformed at ${quoteStart(text)}.`, field);
  const parameters = readParameters(text, essence.length, { header });
  for (const [name, value] of parameters)
    if (value.includes('\\')) throw invalidRequest(`${header} is malformed: ${name} has a backslash.`, field);
  return { essence: essence.trimEnd().toLowerCase(), parameters };
}

function writeValue(value: string): string {
  return TOKEN.test(value) ? value : `"${value}"`;
}
