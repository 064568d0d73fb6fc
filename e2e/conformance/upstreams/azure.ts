// What a deployment of Azure received: the compatible protocol under a dated address, with tokens of Entra ID.
import type { Upstream } from '../upstream.ts';
import { chatUpstream } from './chat.ts';

export const azureUpstream: Upstream = {
  ...chatUpstream,
  name: 'azure',
  provider: 'azure',
  access: (sandbox) => ({
    options: {
      speaks: ['chat'],
      api_version: '2024-10-21',
      token_url: `${sandbox.baseUrl('azure')}/tenant/oauth2/v2.0/token`,
    },
    keys: [JSON.stringify({ tenant_id: 'tenant', client_id: 'client', client_secret: 'client-secret-of-the-grid' })],
  }),
};
