// What Gemini on Vertex AI received, with tokens of a service account.
import type { Upstream } from '../upstream.ts';
import { geminiUpstream } from './gemini.ts';

export const vertexUpstream: Upstream = {
  ...geminiUpstream,
  name: 'vertex',
  provider: 'vertex',
  access: (sandbox) => ({
    options: { location: 'us-central1', token_url: `${sandbox.baseUrl('vertex')}/token` },
    keys: [JSON.stringify(sandbox.serviceAccount())],
  }),
};
