import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelCreate, channelPatch, type Channel } from '#contract/channels.ts';
import { defaultChannelOptions } from '#contract/channel-options.ts';
import { bodyOf, draftOf } from './channel-draft.ts';

test('keys come one per line, models default to their public name, empty rows are dropped', () => {
  const body = channelCreate.parse(
    bodyOf({
      ...draftOf(undefined),
      name: 'main',
      baseUrl: ' https://api.example.com/v1 ',
      keys: 'one\n two\n\n',
      models: [
        { key: 'a', value: '' },
        { key: 'b', value: 'upstream-b' },
        { key: '', value: 'lost' },
      ],
    }),
  );
  assert.deepEqual(body.keys, ['one', 'two']);
  assert.deepEqual(body.models, { a: 'a', b: 'upstream-b' });
  assert.deepEqual([body.base_url, body.groups, body.options.speaks], ['https://api.example.com/v1', null, null]);
});

test('an edited channel keeps its keys unless new ones are typed, and everything else as it was', () => {
  const channel: Channel = {
    id: 'chn_1',
    name: 'main',
    provider: 'rerank',
    base_url: 'https://api.example.com/v1',
    keys: [{ id: 'key_1', hint: 'sk…' }],
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
  const body = channelPatch.parse(bodyOf(draftOf(channel)));
  assert.equal(body.keys, undefined);
  const { speaks: _, archive: __, ...options } = channel.options;
  assert.deepEqual(
    [body.models, body.groups, body.priority, body.weight, body.headers, body.options],
    [channel.models, channel.groups, 5, 0, channel.headers, options],
  );
});
