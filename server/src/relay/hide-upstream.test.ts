import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readChannelOptions } from '../catalogue/channel-options.ts';
import { ChannelKey } from '../routing/channel-key.ts';
import { Channel } from '../routing/channel.ts';
import type { Candidate } from '../routing/route.ts';
import { hideUpstream } from './hide-upstream.ts';

const clock = { now: () => 0 };
const SECRET = '4f7c0a9e1b8d4f7c0a9e1b8d';

function candidate(secret = SECRET, baseUrl = 'https://llm.vendor.example:8443/v1'): Candidate {
  const facts = {
    id: 'c',
    name: 'c',
    provider: 'openai',
    baseUrl,
    models: new Map([
      ['public-video', 'vendor-2-0.pro'],
      ['same', 'same'],
    ]),
    groups: [],
    priority: 0,
    weight: 1,
    enabled: true,
    sandbox: false,
    headers: { 'x-tenant': 'tenant-77-secret', 'x-flag': 'on' },
    options: readChannelOptions('{}'),
    keys: [],
  };
  const key = new ChannelKey('k', secret);
  return { channel: new Channel(facts, [key], clock), key };
}

const hide = (text: string): string => hideUpstream(text, candidate());

test('ordinary words stay as they are', () => {
  for (const text of ['', 'The field "temperature" must be at most 2.', 'key: on', 'Maximum is 8192 tokens. 你好'])
    assert.equal(hide(text), text);
});

test('the key, our headers and the address are hidden wherever they stand', () => {
  for (const secret of [
    SECRET,
    'tenant-77-secret',
    'https://llm.vendor.example:8443/v1',
    'llm.vendor.example:8443',
    'llm.vendor.example',
  ]) {
    assert.equal(hide(`a ${secret} b ${secret}`), 'a [hidden] b [hidden]');
    assert.ok(!hide(`"${secret}"${secret}`).includes(secret));
  }
});

test('a short key and a short host are hidden too, but not inside of other words (contract 4)', () => {
  const short = candidate('up-key', 'http://stub/v1');
  assert.equal(hideUpstream('bad key up-key at stub', short), 'bad key [hidden] at [hidden]');
  assert.equal(hideUpstream('stubborn backup-keys', short), 'stubborn backup-keys');
  assert.equal(hideUpstream('as it is', candidate('', 'http://stub/v1')), 'as it is');
  assert.equal(
    hideUpstream('the prompt is empty', candidate('EMPTY')),
    'the prompt is empty',
    'no key, but a word for none',
  );
});

test('the address is hidden in whatever letters it is written', () => {
  assert.doesNotMatch(hide('no such model at LLM.Vendor.Example'), /vendor/iu);
  const spoken = candidate(SECRET, 'https://LLM.Vendor.Example/v1');
  assert.doesNotMatch(hideUpstream('no such model at LLM.Vendor.Example', spoken), /vendor/iu);
});

test('other addresses and anything like a key are hidden too', () => {
  assert.equal(hide('see https://docs.vendor.example/errors?x=1 please'), 'see [hidden] please');
  assert.equal(hide('Incorrect API key provided: sk-proj-abc***wxyz.'), 'Incorrect API key provided: [hidden].');
  assert.equal(hide('key-0123456789 pk-abcdefgh'), '[hidden] [hidden]');
});

test('the name that the upstream has for a model becomes the one that the caller knows', () => {
  const hidden = (text: string, model?: string): string => hideUpstream(text, candidate(), model);
  const words = 'The parameter `duration` for model vendor-2-0.pro in t2v is not valid. Request id: 0217';
  assert.equal(hidden(words, 'public-video'), words.replace('vendor-2-0.pro', 'public-video'));
  assert.equal(hidden('Vendor-2-0.Pro, "vendor-2-0.pro".', 'public-video'), 'public-video, "public-video".');
  for (const other of ['vendor-2-0.pro-fast', 'vendor-2-0.pro.1', 'my-vendor-2-0.pro', 'vendor-2-0xpro'])
    assert.equal(hidden(other, 'public-video'), other, 'another name');
  assert.equal(hidden(words), words);
  assert.equal(hidden(words, 'same'), words);
  assert.equal(hidden(words, 'unknown'), words);
});

test('values too short to be secrets do not garble the text', () => {
  assert.equal(hideUpstream('turn on, one by one', candidate('one')), 'turn on, one by one');
});

test('long words are cut, and the cut shows no part of a secret', () => {
  assert.ok(hide('x'.repeat(100_000)).length <= 2_000);
  for (let shift = 1; shift < SECRET.length; shift++) {
    const shown = hide(`${' '.repeat(2_000 - shift)}${SECRET} and more`).trim();
    assert.ok(shown === '' || !SECRET.startsWith(shown) || shown.length < 4, `${shown.length} characters of the key`);
  }
});

test('no text makes the key appear', () => {
  const part = fc.oneof(fc.string(), fc.constant(SECRET), fc.constant('llm.vendor.example'), fc.constant('https://'));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const shown = hide(parts.join(''));
      assert.ok(!shown.includes(SECRET) && !shown.includes('llm.vendor.example'));
    }),
    { numRuns: 500 },
  );
});
