// Reads the header block of one part of a form. https://www.rfc-editor.org/rfc/rfc7578
import { Refusal } from '../../refusal.ts';

export type PartHeader = { name: string; filename: string | undefined; contentType: string };

const plainEncodings = ['7bit', '8bit', 'binary'];

export function refuseForm(message: string): never {
  throw new Refusal({ status: 400, message: `Could not parse multipart form: ${message}`, code: 'invalid_multipart' });
}

export function readPartHeader(block: string): PartHeader {
  const headers = new Map<string, string>();
  for (const line of block.split('\r\n')) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) refuseForm('a part has a malformed header.');
    headers.set(name.toLowerCase(), value);
  }
  const disposition = headers.get('content-disposition') ?? refuseForm('a part has no content-disposition.');
  if (!/^form-data\s*(;|$)/i.test(disposition)) refuseForm('a part is not form-data.');
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding !== undefined && !plainEncodings.includes(encoding)) refuseForm(`a part is encoded as ${encoding}.`);
  const name = readParameter(disposition, 'name');
  if (name === undefined || name === '') refuseForm('a part has no name.');
  return {
    name,
    filename: readParameter(disposition, 'filename'),
    contentType: headers.get('content-type') ?? 'text/plain',
  };
}

function readParameter(text: string, parameter: string): string | undefined {
  const [, quoted, bare] =
    new RegExp(`;\\s*${parameter}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(text) ?? [];
  return quoted?.replace(/\\(.)/g, '$1').replaceAll('%22', '"') ?? bare;
}

/** The boundary of a content type; refused when there is none that RFC 2046 allows. */
export function readBoundary(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare ?? '';
  if (!/^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary)) refuseForm('no valid boundary in the content type.');
  return boundary;
}
