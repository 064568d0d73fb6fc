// POST /{tenant}/oauth2/v2.0/token of Entra ID, for an application's own secret.
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
import type { TokenIssuer } from '../clouds/token-issuer.ts';
import { readTokenForm } from '../clouds/token-form.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';

const scope = 'https://cognitiveservices.azure.com/.default';

export function createEntraToken(issuer: TokenIssuer) {
  return async (call: Call): Promise<void> => {
    const form = readTokenForm(call);
    const problem = judge(form);
    if (problem !== undefined) {
      const { status, error, code, text } = problem;
      const description = `AADSTS${code}: ${text} Trace ID: sandbox`;
      const body = { error, error_description: description, error_codes: [code], trace_id: 'sandbox' };
      return sendWhole(call.exchange, { status, body }, call.behaviour);
    }
    const { token, seconds } = issuer.give(call.now);
    const body = { token_type: 'Bearer', expires_in: seconds, ext_expires_in: seconds, access_token: token };
    await sendWhole(call.exchange, { body }, call.behaviour);
  };
}

type Problem = { status: number; error: string; code: number; text: string };

/** A secret that begins with `bad` is a wrong one. */
function judge(form: URLSearchParams): Problem | undefined {
  const refuse = (error: string, code: number, text: string, status = 400): Problem => ({ status, error, code, text });
  if (form.get('grant_type') !== 'client_credentials')
    return refuse('unsupported_grant_type', 70003, 'The app requested an unsupported grant type.');
  if (form.get('scope') !== scope)
    return refuse('invalid_scope', 1002012, 'The provided value for scope is not valid for this flow.');
  const secret = form.get('client_secret') ?? '';
  if ((form.get('client_id') ?? '') === '' || secret === '')
    return refuse('invalid_request', 900144, "The request body must contain the parameter: 'client_secret'.");
  if (!secret.startsWith('bad')) return undefined;
  return refuse('invalid_client', 7000215, 'Invalid client secret provided.', 401);
}
