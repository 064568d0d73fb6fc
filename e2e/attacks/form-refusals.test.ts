// Forms whose head can be read in two ways are refused by every endpoint that takes forms: 400 that says what is wrong, in the
// caller's shape, and nothing is held, charged or sent (contract 4). One file of headers, so that each is seen by its name.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ErrorBody } from '../support/chat.ts';
import { picture, wave } from '../support/media.ts';
import { ledgerOf } from '../support/money.ts';
import { makeVideoWorld, POLL_MS, VIDEO_PRICE } from '../support/videos.ts';
import { makeWorld, suiteGateway, type World } from '../support/world.ts';
import { closeConnections, sendForm } from './forms/send-form.ts';
import { bodyOf, partOf, type WirePart } from './forms/wire-form.ts';

const GOOD_TYPE = 'multipart/form-data; boundary=BB';

/** Behind `multipart/form-data; `, and what the message says. */
const contentTypes: [string, RegExp][] = [
  ['boundary=BB;; boundary=CC', /Content-Type of the request is malformed at ";; boundary=CC"/],
  ['boundary=BB; x; boundary=CC', /malformed at "; x; boundary=CC"/],
  ['boundary=BB; x="a"b; boundary=CC', /malformed at "; x=/],
  ['boundary=BB; boundary =CC', /malformed at "; boundary =CC"/],
  ['boundary="B\\B"', /no backslash/],
  ["boundary=BB; boundary*=utf-8''CC", /parameter "boundary\*", which is not supported/],
  ['boundary=BB; boundary*0=CC', /parameter "boundary\*0", which is not supported/],
  ['boundary=BB; boundary=CC', /parameter "boundary" more than once/],
  ['boundary=BB; charset=utf-16le', /charset "utf-16le"/],
];

const named = (rest: string): string => `Content-Disposition: form-data; name="user"${rest}`;
/** Headers of one more part, and what the message says. */
const partHeaders: [string[], RegExp][] = [
  [[named('; name="model"')], /Content-Disposition of a part of the form has the parameter "name" more than once/],
  [[named("; name*=utf-8''model")], /parameter "name\*", which is not supported/],
  [[named(';; name=model')], /malformed at ";; name=model"/],
  [[named('; filename="a"; filename="b"')], /parameter "filename" more than once/],
  [[named('; filename*0="a"')], /parameter "filename\*0", which/],
  [[named(''), named('')], /header "Content-Disposition" more than once/],
  [['Content-Disposition: form-data;', ' name="model"'], /malformed at ";"|malformed header line/],
  [[named(''), 'Content-Type: text/plain; charset=utf-16le'], /charset "utf-16le"/],
  [[named(''), 'Content-Type: application/octet-stream'], /but no filename/],
  [[named(''), 'Content-Transfer-Encoding: base64'], /Content-Transfer-Encoding "base64"/],
  [['Content-Disposition: form-data; name="_charset_"'], /_charset_ is not supported/],
  [['Content-Disposition: form-data; name="x; filename=y; z"'], /has the character ";"/],
  [['Content-Disposition: form-data; name="model"'], /'model' is given more than once/],
  [['Content-Disposition: form-data; name="model[]"'], /'model\[\]' must be written 'model'/],
];

interface Endpoint {
  path: string;
  price: Parameters<typeof makeWorld>[2];
  parts: WirePart[];
}

const audio = { model: { price: { unit: 'audio_second', amount: '0.01' } } } as const;
const image = { model: { price: { unit: 'image', amount: '0.01' } } } as const;
const sound = [partOf({ name: 'file', value: wave(1), filename: 'a.wav', type: 'audio/wav' })];
const drawing = [partOf({ name: 'image', value: picture(50), filename: 'a.png', type: 'image/png' })];
const endpoints: Endpoint[] = [
  { path: '/v1/images/edits', price: image, parts: drawing },
  { path: '/v1/edits', price: image, parts: drawing },
  { path: '/v1/audio/transcriptions', price: audio, parts: sound },
  { path: '/v1/audio/translations', price: audio, parts: sound },
  { path: '/v1/videos', price: { model: { price: VIDEO_PRICE } }, parts: [] },
];

describe('a form that can be read in two ways', async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_TASK_POLL_MS: POLL_MS } });
  after(closeConnections);

  for (const { path, price, parts } of endpoints)
    test(`is refused by ${path}, and nothing is held, charged or sent`, async (t) => {
      const video = path === '/v1/videos' ? await makeVideoWorld(gateway, t, price) : undefined;
      const world: World = video ?? (await makeWorld(gateway, t, price));
      const usual = [partOf({ name: 'model', value: world.model }), partOf({ name: 'prompt', value: 'p' }), ...parts];
      const refuse = async (types: string[], body: Buffer, message: RegExp): Promise<void> => {
        const answer = await sendForm(world, path, { contentTypes: types, body });
        assert.equal(answer.status, 400, `${types.join(' | ')}: ${answer.text}`);
        const { error } = JSON.parse(answer.text) as ErrorBody;
        assert.deepEqual([error.code, error.type], ['invalid_request', 'invalid_request_error']);
        assert.match(error.message, message);
      };
      for (const [rest, message] of contentTypes)
        await refuse([`multipart/form-data; ${rest}`], bodyOf('BB', usual), message);
      await refuse(
        [GOOD_TYPE, 'multipart/form-data; boundary=CC'],
        bodyOf('BB', usual),
        /header "content-type" is given more than once/,
      );
      for (const [headers, message] of partHeaders)
        await refuse([GOOD_TYPE], bodyOf('BB', [...usual, { headers, value: Buffer.from('dear') }]), message);

      const kinds = (await ledgerOf(gateway, { account_id: world.account.id })).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['credit']);
      assert.equal(world.calls().length, 0);
      assert.equal(video?.stub.submits ?? 0, 0);
      const { status, text } = await sendForm(world, path, { contentTypes: [GOOD_TYPE], body: bodyOf('BB', usual) });
      assert.equal(status, 200, `the form itself is good: ${text}`);
    });
});
