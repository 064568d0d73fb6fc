// The boundary that a content type names (RFC 2046 section 5.1.1), quoted or not.
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';

const PARAMETER = /;[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+)=(?:"((?:[^"\\]|\\.)*)"[ \t]*|([^;"]*))(?=;|$)/giuy;
const BOUNDARY = /^[0-9a-z'()+_,./:=? -]{0,69}[0-9a-z'()+_,./:=?-]$/iu;

export function boundaryOf(contentType: string | undefined): string {
  const [essence = ''] = contentType?.split(';', 1) ?? [];
  if (contentType === undefined || essence.trim().toLowerCase() !== 'multipart/form-data')
    throw new GatewayError('unsupported_media_type', {
      message: 'The content type is not supported here. Send multipart/form-data.',
    });
  const found = [...parametersOf(contentType, essence.length)].filter(([name]) => name === 'boundary');
  const [boundary] = found;
  if (boundary === undefined || found.length > 1 || !BOUNDARY.test(boundary[1]))
    throw invalidRequest('The content type needs one boundary of 1 to 70 characters.');
  return boundary[1];
}

/** Stops at the first parameter that is malformed. */
function* parametersOf(text: string, from: number): Generator<[name: string, value: string]> {
  const parameter = new RegExp(PARAMETER);
  parameter.lastIndex = from;
  for (let match = parameter.exec(text); match !== null; match = parameter.exec(text)) {
    const [, name = '', quoted, plain = ''] = match;
    yield [name.toLowerCase(), quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/gu, '$1')];
  }
}
