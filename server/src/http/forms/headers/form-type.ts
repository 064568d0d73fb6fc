// What the content type of a request says of a form: the boundary it names (RFC 2046 section 5.1.1), quoted or not.
import { GatewayError, invalidRequest } from '../../../errors/gateway-error.ts';
import { readParameters } from './header-parameters.ts';
import { type Alphabet, readCharset } from './part-type.ts';

const BOUNDARY = /^[0-9a-z'()+_,./:=? -]{0,69}[0-9a-z'()+_,./:=?-]$/iu;
const HEADER = 'The Content-Type of the request';

export interface FormType {
  boundary: string;
  /** Of texts whose part names none. */
  alphabet: Alphabet;
}

export function readFormType(contentType: string | undefined, orJson = false): FormType {
  const [essence = ''] = contentType?.split(';', 1) ?? [];
  if (contentType === undefined || essence.trim().toLowerCase() !== 'multipart/form-data')
    throw new GatewayError('unsupported_media_type', {
      message: `The content type is not supported here. Send ${orJson ? 'application/json or ' : ''}multipart/form-data.`,
    });
  const parameters = readParameters(contentType, essence.length, { header: HEADER });
  const boundary = parameters.get('boundary');
  if (boundary === undefined) throw invalidRequest(`${HEADER} has no boundary.`);
  if (!BOUNDARY.test(boundary))
    throw invalidRequest(`${HEADER} needs a boundary of 1 to 70 letters, digits or '()+_,-./:=? and no backslash.`);
  return { boundary, alphabet: readCharset(parameters.get('charset') ?? 'utf-8', HEADER) };
}
