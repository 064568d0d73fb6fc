// The error for a caller without a key: where this endpoint reads one, and where one stood that is not read.
import { GatewayError } from '../errors/gateway-error.ts';
import type { CarrierStyle, CredentialRequest } from './credentials.ts';

const BEARER = '"Authorization: Bearer <API_KEY>"';
const CARRIERS: Readonly<Record<CarrierStyle, string>> = {
  compatible: `${BEARER} or "x-api-key: <API_KEY>"`,
  messages: `"x-api-key: <API_KEY>" or ${BEARER}`,
  'generate-content': `"x-goog-api-key: <API_KEY>", as the query "?key=<API_KEY>" or as ${BEARER}`,
};

export function missingCredential(request: CredentialRequest, style: CarrierStyle): GatewayError {
  const misplaced = misplacedKey(request, style);
  const found = misplaced === undefined ? 'No API key was given.' : `No API key was found: ${misplaced}.`;
  return new GatewayError('missing_api_key', { message: `${found} Send it as ${CARRIERS[style]}.` });
}

/** Says nothing of the key itself, which may be a real one. */
function misplacedKey({ headers, query }: CredentialRequest, style: CarrierStyle): string | undefined {
  const scheme = String(headers['authorization'] ?? '').trim();
  if (/^bearer$/i.test(scheme)) return 'nothing stands behind "Bearer" in the header "Authorization"';
  if (scheme !== '') return 'the header "Authorization" must begin with "Bearer" and a space';
  const isInQuery = style !== 'generate-content' && (new URLSearchParams(query).get('key') ?? '') !== '';
  return isInQuery ? 'the query "key" is not read here' : undefined;
}
