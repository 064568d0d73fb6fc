import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGenerateContent } from '../gemini-generate-content/index.ts';
import { readChat } from '../openai-chat/index.ts';
import { mediaAmong, type OutputMedia } from './output-media.ts';
import { assertRefused } from '../../testing/refusals.ts';

const CHAT = '"model":"m","messages":[{"role":"user","content":"hi"}]';
const chatMedia = (modalities: string): OutputMedia | undefined =>
  readChat(Buffer.from(`{${CHAT},"modalities":${modalities}}`)).outputMedia;

const route = { model: 'm', stream: false, framing: 'events' } as const;
const contentMedia = (config: string): OutputMedia | undefined =>
  readGenerateContent(Buffer.from(`{"contents":[{"parts":[{"text":"hi"}]}],${config}}`), route).outputMedia;

test('modalities are the kinds they name, in any letters, and text is none', () => {
  assert.deepEqual(mediaAmong(['text']), []);
  assert.deepEqual(mediaAmong(['text', 'audio']), ['audio']);
  assert.deepEqual(mediaAmong(['IMAGE', 'TEXT']), ['image']);
  assert.deepEqual(mediaAmong([]), []);
});

test('what is not known may be anything', () => {
  for (const odd of [['video'], [2], ['text', null], { audio: {} }])
    assert.deepEqual(mediaAmong(odd), ['audio', 'image'], JSON.stringify(odd));
});

test('a chat tells them where it has the field, once', () => {
  assert.deepEqual(chatMedia('["text","audio"]'), ['audio']);
  assert.deepEqual(chatMedia('["text"]'), []);
  assert.equal(chatMedia('null'), undefined);
  assert.equal('outputMedia' in readChat(Buffer.from(`{${CHAT}}`)), false);
  assertRefused(
    () => chatMedia('["audio"],"modalities":["text"]'),
    "'modalities' is given more than once.",
    'modalities',
  );
});

test('generate-content tells them in both spellings', () => {
  assert.deepEqual(contentMedia('"generationConfig":{"responseModalities":["TEXT","IMAGE"]}'), ['image']);
  assert.deepEqual(contentMedia('"generation_config":{"response_modalities":["AUDIO"]}'), ['audio']);
  assert.equal(contentMedia('"generationConfig":{"responseModalities":null}'), undefined);
  assert.equal(contentMedia('"generationConfig":{}'), undefined);
});
