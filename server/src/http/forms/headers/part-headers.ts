// Reads the headers of one part (RFC 7578 section 4). What two readers could understand differently is refused; what is left
// is all that goes upstream of them.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import { readDisposition } from './part-disposition.ts';
import { quoteStart } from './header-parameters.ts';
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
