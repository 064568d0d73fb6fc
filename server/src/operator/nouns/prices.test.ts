import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PriceImportResult, PriceVersion } from '#contract/price-import.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp, START } from '../testing/operator-app.ts';

const AT = START / 1000;
const price = (input: string, output: string) => ({ unit: 'tokens', input, output });

onEveryStore((open) => {
  test('list prices are imported for the models that exist; a dry run only tells', async () => {
    const { call, changes } = await makeOperatorApp(await open());
    await call('PUT', '/models/gpt-4o', { price: price('9', '9') });
    await call('PUT', '/models/own-model', { price: price('1', '1') });
    const before = changes();
    const dry: PriceImportResult = (await call('POST', '/prices/import', { source: 'list', dry_run: true })).body;
    assert.deepEqual([dry.dry_run, dry.counts.change, dry.counts.create], [true, 1, 0]);
    assert.ok(dry.counts.skip > 100, 'what is not offered here is left out');
    const change = dry.changes.find(({ model }) => model === 'gpt-4o');
    assert.deepEqual(change, {
      model: 'gpt-4o',
      action: 'change',
      before: price('9', '9'),
      after: {
        unit: 'tokens',
        input: '2.5',
        output: '10',
        cached_input: '1.25',
        tools: { web_search: '0.01', file_search: '0.0025' },
      },
      listed: { source: null, as_of: null, retires_at: null },
      tiered: false,
    });
    const long = dry.changes.find(({ model }) => model === 'gemini-2.5-pro');
    assert.equal(long?.tiered, true);
    assert.ok(long.after.unit === 'tokens');
    assert.deepEqual(long.after.above, [{ input_tokens: 200_000, input: '2.5', output: '15', cached_input: '0.25' }]);
    assert.deepEqual((await call('GET', '/models/gpt-4o')).body.price, price('9', '9'));
    assert.equal(changes(), before);

    const real: PriceImportResult = (await call('POST', '/prices/import', { source: 'list' })).body;
    assert.deepEqual(real.changes, dry.changes);
    assert.deepEqual((await call('GET', '/models/gpt-4o')).body.price, change?.after);
    assert.deepEqual((await call('GET', '/models/own-model')).body.price, price('1', '1'));
    const again: PriceImportResult = (await call('POST', '/prices/import', { source: 'list' })).body;
    assert.deepEqual([again.counts.change, again.counts.same], [0, 1]);
  });

  test('prices of pictures, sound, videos and searches have the page and day they were read, and when the model retires', async () => {
    const { call } = await makeOperatorApp(await open());
    const models = ['whisper-1', 'veo-3.1-fast-generate-001', 'rerank-v3.5', 'tts-1', 'grok-imagine-image'];
    const { changes }: PriceImportResult = (
      await call('POST', '/prices/import', { source: 'list', models, create: true })
    ).body;
    assert.deepEqual(changes.map(({ after }) => after.unit).sort(), [
      'audio_second',
      'characters',
      'image',
      'search',
      'second',
    ]);
    for (const { listed } of changes) {
      assert.match(listed.source ?? '', /^https:\/\//);
      assert.match(listed.as_of ?? '', /^\d{4}-\d\d-\d\d$/);
    }
    const whisper = (await call('GET', '/models/whisper-1')).body;
    assert.equal(whisper.retires_at, Date.UTC(2027, 1, 26) / 1000);
    assert.deepEqual(whisper.price, { unit: 'audio_second', amount: '0.0001' });
    assert.equal((await call('GET', '/models/rerank-v3.5')).body.retires_at, null);
  });

  test('rows of one’s own may make models, chosen by pattern, at a multiple of their price', async () => {
    const { call } = await makeOperatorApp(await open());
    const source = [
      { model: 'new-a', price: { ...price('0.333333333', '10'), cached_input: '0.1' } },
      { model: 'new-b', price: { unit: 'image', amount: '0.04', by: { '256x256': '0.01' } } },
      {
        model: 'new-c',
        price: {
          ...price('1', '1'),
          above: [{ input_tokens: 1000, input: '2', output: '4' }],
          tiers: { priority: '2' },
          tools: { web_search: '0.01' },
          batch: '0.5',
        },
      },
      { model: 'other', price: price('1', '1') },
    ];
    const { body } = await call('POST', '/prices/import', {
      source,
      models: ['new-*'],
      create: true,
      multiplier: '1.5',
    });
    assert.deepEqual(body.counts, { create: 3, change: 0, same: 0, skip: 0 });
    assert.deepEqual((await call('GET', '/models/new-a')).body.price, {
      unit: 'tokens',
      input: '0.5',
      output: '15',
      cached_input: '0.15',
    });
    const image = { unit: 'image', amount: '0.06', by: { '256x256': '0.015' } };
    assert.deepEqual((await call('GET', '/models/new-b')).body.price, image);
    assert.deepEqual((await call('GET', '/models/new-c')).body.price, {
      ...price('1.5', '1.5'),
      above: [{ input_tokens: 1000, input: '3', output: '6' }],
      tiers: { priority: '2' },
      tools: { web_search: '0.015' },
      batch: '0.5',
    });
    assert.equal((await call('GET', '/models/other')).status, 404);
  });

  test('every price that a model had is kept, with who set it and how', async () => {
    const { call } = await makeOperatorApp(await open());
    await call('PUT', '/models/m', { price: price('1', '2') });
    await call('PUT', '/models/m', { price: price('1', '2'), owned_by: 'somebody' });
    await call('POST', '/prices/import', { source: [{ model: 'm', price: price('3', '4') }] });
    await call('DELETE', '/models/m');
    const { data } = (await call('GET', '/prices/versions?model=m')).body as { data: PriceVersion[] };
    assert.deepEqual(
      data.map(({ model, price: set, author, origin, created_at }) => ({
        model,
        price: set,
        author,
        origin,
        created_at,
      })),
      [
        { model: 'm', price: null, author: 'operator-key', origin: 'remove', created_at: AT },
        { model: 'm', price: price('3', '4'), author: 'operator-key', origin: 'import: rows', created_at: AT },
        { model: 'm', price: price('1', '2'), author: 'operator-key', origin: 'change', created_at: AT },
      ],
    );
    const audit = (await call('GET', '/audit')).body.data as { action: string; detail: unknown }[];
    assert.deepEqual(audit.find(({ action }) => action === 'price.import')?.detail, { source: 'rows', models: ['m'] });
  });

  test('a wrong import is refused by name and changes nothing', async () => {
    const { call } = await makeOperatorApp(await open());
    for (const [body, param] of [
      [{}, 'source'],
      [{ source: 'elsewhere' }, 'source'],
      [{ source: 'list', multiplier: '-1' }, 'multiplier'],
      [
        {
          source: [
            { model: 'm', price: price('1', '2') },
            { model: 'm', price: price('1', '3') },
          ],
        },
        'source',
      ],
    ] as const) {
      const answer = await call('POST', '/prices/import', body);
      assert.deepEqual([answer.status, answer.body.error.param], [400, param], JSON.stringify(answer.body));
    }
  });
});
