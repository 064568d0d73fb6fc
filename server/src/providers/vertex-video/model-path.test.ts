import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { modelPath } from './model-path.ts';
import { vertexVideo } from './provider.ts';
import { modelOf, readTask } from './read-task.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = JSON.stringify({
  client_email: 'a@b.example',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  project_id: 'own-project',
});
const baseUrl = 'https://europe-west4-aiplatform.googleapis.com';

test('a service account names project and location; options win, and an express key has neither (contract-2 9)', () => {
  const path = (options: object, credential = account, base = baseUrl): string =>
    modelPath('veo-3', { baseUrl: base, options, credential });
  const model = 'publishers/google/models/veo-3';
  assert.equal(path({}), `projects/own-project/locations/europe-west4/${model}`);
  assert.equal(path({ project: 'p', location: 'l' }), `projects/p/locations/l/${model}`);
  assert.equal(
    path({}, account, 'https://aiplatform.googleapis.com'),
    `projects/own-project/locations/global/${model}`,
  );
  assert.equal(
    path({}, account, 'https://aiplatform.eu.rep.googleapis.com'),
    `projects/own-project/locations/eu/${model}`,
  );
  assert.equal(path({}, 'AIza-key'), model);
});

test('an operation says of which model it is, and nothing else is asked about', () => {
  const model = 'projects/p/locations/us-central1/publishers/google/models/veo-3.1';
  assert.equal(modelOf(`${model}/operations/a-1`), model);
  for (const odd of ['', 'operations/1', `${model}/operations/../../x`, `../${model}/operations/1`])
    assert.equal(modelOf(odd), '', odd);
  const call = vertexVideo.video?.poll({ id: `${model}/operations/a-1` });
  assert.deepEqual([call?.method, call?.path], ['POST', `/v1/${model}:fetchPredictOperation`]);
});

test('what the safety filter took is a failure with its reason; a done operation without anything has no video', () => {
  const read = (answer: object) => readTask(Buffer.from(JSON.stringify({ name: 'n', done: true, ...answer })));
  const filtered = { response: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['policy 1'] } };
  assert.deepEqual([read(filtered)?.failReason, read(filtered)?.failCode], ['policy 1', 'content_filtered']);
  assert.deepEqual([read({ response: {} })?.status, read({ response: {} })?.videoUrl], ['succeeded', undefined]);
  assert.equal(read({ error: { code: 13, message: 'no' } })?.failReason, 'no');
});

test('a service account that cannot be used is refused before it is stored', () => {
  assert.equal(vertexVideo.checkCredential?.('AIza-key'), undefined);
  assert.equal(vertexVideo.checkCredential?.(account), undefined);
  assert.match(vertexVideo.checkCredential?.('{"client_email":"x"}') ?? '', /private_key/);
});
