import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geminiVideo } from './provider.ts';

test('an operator is shown the models of the upstream, page by page (contract-2 9)', () => {
  const body = { models: [{ name: 'models/gemini-omni-1.1-flash' }, { name: 'models/other' }], nextPageToken: 'a b' };
  const page = geminiVideo.models?.read(Buffer.from(JSON.stringify(body)));
  assert.deepEqual(page, { ids: ['gemini-omni-1.1-flash', 'other'], next: 'pageToken=a%20b' });
  assert.equal(geminiVideo.models?.read(Buffer.from('{}')), undefined);
});
