// Any vendor of the rerank protocol: bearer key, one path right under the base address.
import { readRerank, rerank } from '../../protocols/rerank/index.ts';
import { bearer } from '../credentials/api-key.ts';
import type { Provider } from '../provider.ts';

export const rerankVendor: Provider = {
  name: 'rerank',
  paths: { rerank: '/rerank' },
  endpointTypes: ['rerank'],
  sign: bearer,
  test: {
    protocol: rerank,
    request: (model) => readRerank(Buffer.from(JSON.stringify({ model, query: 'ping', documents: ['ping'] })), 'plain'),
  },
};
