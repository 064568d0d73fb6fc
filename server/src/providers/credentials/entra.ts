// Microsoft Entra ID: an application's own secret becomes a bearer token by the client credentials flow.
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
import { badCredential, jsonCredential, needField } from './json-credential.ts';
import { tokenOrKey } from './token-or-key.ts';

const SCOPE = 'https://cognitiveservices.azure.com/.default';

const readEntra = jsonCredential((fields) => {
  const tenant = needField(fields, 'tenant_id');
  // It becomes a part of an address.
  if (!/^[\w.-]+$/.test(tenant)) throw badCredential('"tenant_id" is neither an id nor a domain');
  return { tenant, clientId: needField(fields, 'client_id'), clientSecret: needField(fields, 'client_secret') };
});

export const entraOrKey = tokenOrKey('api-key', {
  read: readEntra,
  urlOf: ({ tenant }) => `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
  ask: ({ clientId, clientSecret }, _clock, credential) => ({
    form: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope: SCOPE },
    secrets: [clientSecret, credential],
  }),
});
