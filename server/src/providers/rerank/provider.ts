// Any vendor of the rerank protocol: bearer key, one path right under the base address.
import { readRerank, rerank } from '../../protocols/rerank/index.ts';
import { bearer } from '../credentials/api-key.ts';
import type { Provider } from '../provider.ts';

export const rerankVendor: Provider = {
  name: 'rerank',
  facts: {
    label: 'Rerank',
    about: 'The /rerank protocol shared by several vendors',
    baseUrl: { example: 'https://api.jina.ai/v1', hint: 'Ends in a version: the gateway adds /rerank' },
    key: { hint: 'API key, sent as a bearer token' },
    units: ['search', 'tokens', 'request'],
    listedAs: 'cohere',
    presets: [
      { vendor: 'Cohere', baseUrl: 'https://api.cohere.com/v2' },
      { vendor: 'Jina AI', baseUrl: 'https://api.jina.ai/v1' },
    ],
  },
  paths: { rerank: '/rerank' },
  endpointTypes: ['rerank'],
  sign: bearer,
  test: {
    protocol: rerank,
    request: (model) => readRerank(Buffer.from(JSON.stringify({ model, query: 'ping', documents: ['ping'] })), 'plain'),
  },
};
