// Microsoft Entra ID: an application's own secret becomes a bearer token by the client credentials flow.
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
import { fetchToken } from './fetch-token.ts';
import { badCredential, jsonCredential, needField } from './json-credential.ts';
import { MintedTokens } from './minted-tokens.ts';
import type { Forget, Sign, SigningSettings } from './sign.ts';

const SCOPE = 'https://cognitiveservices.azure.com/.default';
const tokens = new MintedTokens();

export const readEntra = jsonCredential((fields) => {
  const tenant = needField(fields, 'tenant_id');
  // It becomes a part of an address.
  if (!/^[\w.-]+$/.test(tenant)) throw badCredential('"tenant_id" is neither an id nor a domain');
  return { tenant, clientId: needField(fields, 'client_id'), clientSecret: needField(fields, 'client_secret') };
});

export const signWithEntra: Sign = (_request, credential, clock, settings) => {
  const read = readEntra(credential);
  const { tenant, clientId, clientSecret } = read.value;
  const url = addressOf(tenant, settings);
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope: SCOPE };
  const token = tokens.get(`${url} ${read.id}`, clock, () =>
    fetchToken(settings, { url, form, secrets: [clientSecret, credential] }),
  );
  return token instanceof Promise ? token.then(bearerOf) : bearerOf(token);
};

export const forgetEntra: Forget = (credential, settings, { authorization = '' }) => {
  const { id, value } = readEntra(credential);
  tokens.forget(`${addressOf(value.tenant, settings)} ${id}`, authorization.replace(/^Bearer /, ''));
  return true;
};

function addressOf(tenant: string, { options: { tokenUrl } }: SigningSettings): string {
  return tokenUrl ?? `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`;
}

function bearerOf(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
