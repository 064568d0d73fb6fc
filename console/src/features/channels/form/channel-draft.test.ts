import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelCreate, channelPatch, type Channel } from '#contract/channels.ts';
import { defaultChannelOptions, kindOptions } from '#contract/channel-options.ts';
import type { Provider } from '#contract/providers.ts';
import { bodyOf, draftOf, filledBy, keysIn } from './channel-draft.ts';

const kind = (more: Partial<Provider>): Provider => ({
  name: 'any',
  label: 'Any',
  about: 'Anything',
  fields: { base_url: { hint: '', example: '' }, keys: { hint: '' } },
  makes_videos: false,
  archives: false,
  units: [],
  options: [],
  speaks: [],
  presets: [],
  ...more,
});

test('keys come one per line, models default to their public name, empty rows are dropped', () => {
  const body = channelCreate.parse(
    bodyOf(
      {
        ...draftOf(undefined),
        name: 'main',
        baseUrl: ' https://api.example.com/v1 ',
        keys: 'one\n two\n\n',
        models: [
          { key: 'a', value: '' },
          { key: 'b', value: 'upstream-b' },
          { key: '', value: 'lost' },
        ],
      },
      kind({ speaks: ['chat', 'responses'] }),
    ),
  );
  assert.deepEqual(body.keys, ['one', 'two']);
  assert.deepEqual(body.models, { a: 'a', b: 'upstream-b' });
  assert.deepEqual([body.base_url, body.groups, body.options.speaks], ['https://api.example.com/v1', null, null]);
});

test('an edited channel keeps its keys unless new ones are typed, and everything else as it was', () => {
  const channel: Channel = {
    id: 'chn_1',
    etag: 'e',
    name: 'main',
    provider: 'rerank',
    base_url: 'https://api.example.com/v1',
    keys: [{ id: 'key_1', hint: 'sk…', status: 'enabled' }],
    models: { a: 'b' },
    groups: ['gold'],
    priority: 5,
    weight: 0,
    status: 'enabled',
    headers: { 'x-team': 'one' },
    options: { ...defaultChannelOptions, rpm: 60, drop_fields: ['seed'] },
    sandbox: false,
    health: {} as Channel['health'],
    created_at: 1,
  };
  const body = channelPatch.parse(bodyOf(draftOf(channel), kind({})));
  assert.equal(body.keys, undefined);
  const { speaks: _, archive: __, ...rest } = channel.options;
  const ofKinds: readonly string[] = kindOptions;
  const options = Object.fromEntries(Object.entries(rest).filter(([name]) => !ofKinds.includes(name)));
  assert.deepEqual(
    [body.models, body.groups, body.priority, body.weight, body.headers, body.options],
    [channel.models, channel.groups, 5, 0, channel.headers, options],
  );
});

test('a preset fills in the base address and what the upstream speaks (contract-2 9)', () => {
  const draft = {
    ...draftOf(undefined),
    ...filledBy({ vendor: 'V', base_url: 'https://v.example/v1', speaks: ['chat'], drop_fields: [], note: null }),
  };
  const { base_url, options } = bodyOf(draft, kind({ speaks: ['chat', 'responses'] }));
  assert.deepEqual([base_url, options.speaks], ['https://v.example/v1', ['chat']]);
  const plain = filledBy({
    vendor: 'V',
    base_url: 'https://v.example',
    speaks: null,
    drop_fields: ['seed'],
    note: null,
  });
  assert.deepEqual([plain.speaks, plain.dropFields], [[], ['seed']]);
});

test('whether videos are archived is left to the provider until somebody decides (contract-2 9)', () => {
  const draft = draftOf(undefined);
  const video = kind({ makes_videos: true, archives: true });
  assert.equal(bodyOf(draft, video).options.archive, null);
  assert.equal(bodyOf({ ...draft, archive: false }, video).options.archive, false);
  assert.ok(!('archive' in bodyOf(draft, kind({})).options), 'other kinds have no videos');
});

test('options of a kind are sent for that kind alone, and an empty one is none (contract-2 9)', () => {
  const draft = { ...draftOf(undefined), own: { api_version: ' 2024-10-21 ', region: 'us-east-1', token_url: '' } };
  const { options } = bodyOf(draft, kind({ options: ['rpm', 'api_version', 'token_url'] }));
  assert.deepEqual(
    { ...options, region: 'none' },
    { ...options, api_version: '2024-10-21', token_url: null, region: 'none' },
  );
  assert.ok(!('region' in options));
});

test('a credential in JSON is one key, also over several lines; other keys are words or lines (contract-2 9)', () => {
  assert.deepEqual(keysIn(' a  b\nc '), ['a', 'b', 'c']);
  assert.deepEqual(keysIn('{\n "client_id": "x y"\n}'), ['{"client_id":"x y"}']);
  assert.deepEqual(keysIn('{"a": "b c"}\n{"d": 1}\n'), ['{"a": "b c"}', '{"d": 1}']);
});
