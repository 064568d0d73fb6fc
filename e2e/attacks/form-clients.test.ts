// Forms as the libraries of real clients write them pass, and every reader upstream sees the same form in one way of writing
// (spec 8). Each sample is what the named library puts on the wire.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { picture } from '../support/media.ts';
import { makeWorld, suiteGateway } from '../support/world.ts';
import { sha256 } from './forms/form-view.ts';
import { startReadingUpstream } from './forms/reading-upstream.ts';
import { closeConnections, sendForm } from './forms/send-form.ts';
import { bodyOf } from './forms/wire-form.ts';

interface Sample {
  type: string;
  boundary: string;
  /** Headers of a text part named `model` or `prompt`. */
  text(name: string): string[];
  file: string[];
  /** As it goes upstream. */
  filename: string;
}

const plain = (name: string): string[] => [`Content-Disposition: form-data; name="${name}"`];
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
const usual = { type: 'multipart/form-data; boundary=BB', boundary: 'BB', text: plain };
const file = (filename: string, more: string[] = ['Content-Type: image/png']): string[] => [
  `Content-Disposition: form-data; name="image"; ${filename}`,
  ...more,
];

const samples: Record<string, Sample> = {
  'undici and browsers': { ...usual, file: file(utf8('filename="größe %22a%22.png"')), filename: 'größe %22a%22.png' },
  'curl of old': { ...usual, file: file('filename="a \\"b\\".png"'), filename: 'a %22b%22.png' },
  'urllib3 2 and httpx': { ...usual, file: file(utf8('filename="ü.png"')), filename: 'ü.png' },
  'urllib3 1.24': { ...usual, file: file("filename*=utf-8''%C3%BC.png"), filename: 'ü.png' },
  aiohttp: {
    type: 'multipart/form-data; boundary=0123456789abcdef',
    boundary: '0123456789abcdef',
    text: (name) => ['Content-Type: text/plain; charset=utf-8', ...plain(name)],
    file: [
      'Content-Type: image/png',
      `Content-Disposition: form-data; name="image"; filename="%C3%BC.png"; filename*=utf-8''%C3%BC.png`,
    ],
    filename: 'ü.png',
  },
  'the HttpClient of .NET': {
    type: 'multipart/form-data; boundary="4a424cac-7519-4ce0-b0b8-cb117505a4c3"',
    boundary: '4a424cac-7519-4ce0-b0b8-cb117505a4c3',
    text: (name) => ['Content-Type: text/plain; charset=utf-8', `Content-Disposition: form-data; name=${name}`],
    file: [`Content-Disposition: form-data; name=image; filename="=?utf-8?B?w7wucG5n?="; filename*=utf-8''%C3%BC.png`],
    filename: 'ü.png',
  },
  'the HttpClient of Apache': {
    type: 'multipart/form-data; charset=ISO-8859-1; boundary=BB',
    boundary: 'BB',
    text: (name) => [...plain(name), 'Content-Type: text/plain; charset=ISO-8859-1', 'Content-Transfer-Encoding: 8bit'],
    file: file('filename="a.png"', ['Content-Type: application/octet-stream', 'Content-Transfer-Encoding: binary']),
    filename: 'a.png',
  },
  okhttp: {
    ...usual,
    text: (name) => [...plain(name), 'Content-Length: 1'],
    file: file('filename="a.png"', ['Content-Type: image/png', 'Content-Length: 58']),
    filename: 'a.png',
  },
  Go: { ...usual, file: file('filename="a.png"', ['Content-Type: application/octet-stream']), filename: 'a.png' },
  Spring: {
    type: 'multipart/form-data;charset=UTF-8;boundary=a_B-c',
    boundary: 'a_B-c',
    text: (name) => [...plain(name), 'Content-Type: text/plain;charset=UTF-8', 'Content-Length: 1'],
    file: file('filename="a.png"'),
    filename: 'a.png',
  },
  'a path of Windows': { ...usual, file: file('filename="C:\\pictures\\a.png"'), filename: 'a.png' },
  'a name that is not UTF-8': {
    ...usual,
    file: file('filename="\xc2\xbc\xd2\xf4.png"'),
    filename: '¼\ufffd\ufffd.png',
  },
};

describe('a form of a real client', async () => {
  const gateway = await suiteGateway();
  const upstream = await startReadingUpstream();
  after(() => {
    closeConnections();
    upstream.stop();
  });

  for (const [client, sample] of Object.entries(samples))
    test(`${client}: goes upstream in one way of writing`, async (t) => {
      const world = await makeWorld(gateway, t, {
        model: { price: { unit: 'image', amount: '0.01' } },
        channels: [{ base_url: upstream.baseUrl }],
      });
      const bytes = picture(50);
      const body = bodyOf(sample.boundary, [
        { headers: sample.text('model'), value: Buffer.from(world.model) },
        { headers: sample.text('prompt'), value: Buffer.from('p') },
        { headers: sample.file, value: bytes },
      ]);
      const { status, text } = await sendForm(world, '/v1/images/edits', { contentTypes: [sample.type], body });
      assert.equal(status, 200, text);
      const sent = upstream.received.at(-1) ?? assert.fail();
      for (const [reader, view] of sent.views) {
        assert.deepEqual(view.fields, { model: [`${world.model}.0`], prompt: ['p'] }, reader);
        assert.deepEqual(view.files, [{ field: 'image', sha256: sha256(bytes) }], reader);
      }
      assert.match(sent.contentType, /^multipart\/form-data; boundary=tollgate-\w{32}$/);
      const heads = sent.body.toString('utf8').match(/^Content-.*$/gm) ?? [];
      assert.equal(heads[2]?.trim(), `Content-Disposition: form-data; name="image"; filename="${sample.filename}"`);
      assert.equal(heads.length, 4, 'one header for a text, two for a file');
    });
});
