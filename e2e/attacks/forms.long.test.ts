// Forms: what was checked and billed is what every reader of forms sees upstream (contract 4, promise M-10). Several hundred
// mutated forms go through a gateway to busboy, multer and formidable, and to Starlette and Werkzeug where a Python has them.
// TEST_FORMS=5000 sends more of them, TEST_FORMS_SEED begins elsewhere.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { LoggedRequest, RequestBodies } from '#contract/requests.ts';
import { nano, requestsOf } from '../support/money.ts';
import { picture, wave } from '../support/media.ts';
import { waitUntil } from '../support/wait.ts';
import { makeWorld, suiteGateway, type World } from '../support/world.ts';
import { compareReadings } from './forms/compare-readings.ts';
import { type FormView, sha256 } from './forms/form-view.ts';
import { type AttackKind, DEAR_MODEL, makeAttack } from './forms/make-attack.ts';
import { findPython, readByPython } from './forms/python-readers.ts';
import { startReadingUpstream } from './forms/reading-upstream.ts';
import { type Answered, closeConnections, sendForm } from './forms/send-form.ts';

const FORMS = Number(process.env['TEST_FORMS'] ?? 800);
const FIRST_SEED = Number(process.env['TEST_FORMS_SEED'] ?? 29);
const LANES = 4;
const IMAGE_PRICE = { '1024x1024': '0.04', '1024x1024/high': '0.16' };
const PLAIN_PRICE = '0.01';
const [shortSound, longSound] = [wave(1), wave(10)];

const imageKind = (path: string, model: string): AttackKind => ({
  path,
  cheap: [
    { name: 'model', value: model },
    { name: 'prompt', value: 'p' },
    { name: 'n', value: '1' },
    { name: 'size', value: '512x512' },
    { name: 'image', value: picture(50), filename: 'a.png', type: 'image/png' },
  ],
  dear: [
    { name: 'model', value: DEAR_MODEL },
    { name: 'n', value: '10' },
    { name: 'size', value: '1024x1024' },
    { name: 'quality', value: 'high' },
    { name: 'image', value: picture(50), filename: 'b.png', type: 'image/png' },
  ],
});

const audioKind = (path: string, model: string): AttackKind => ({
  path,
  cheap: [
    { name: 'model', value: model },
    { name: 'file', value: shortSound, filename: 'a.wav', type: 'audio/wav' },
    { name: 'language', value: 'en' },
  ],
  dear: [
    { name: 'model', value: DEAR_MODEL },
    { name: 'file', value: longSound, filename: 'b.wav', type: 'audio/wav' },
  ],
});

/** Written here, so that the gateway's own arithmetic cannot agree with itself. */
function worthOfImages({ fields }: FormView): bigint {
  const [count = '1'] = fields['n'] ?? [];
  const [[size = ''] = [], [quality = ''] = []] = [fields['size'], fields['quality']];
  const prices: Record<string, string> = IMAGE_PRICE;
  const price = prices[`${size}/${quality.toLowerCase()}`] ?? prices[size] ?? PLAIN_PRICE;
  return BigInt(Number(count)) * nano(price);
}

/** By the file that was read; mutated ones have a length that only a decoder knows. */
function worthOfSound({ files }: FormView, logged: LoggedRequest): bigint {
  const seen = files.find(({ field }) => field === 'file')?.sha256;
  if (seen === sha256(shortSound)) return nano('0.01');
  return seen === sha256(longSound) ? nano('0.1') : nano(logged.charge);
}

interface Outcome extends Answered {
  seed: number;
  kind: AttackKind;
  world: World;
}

describe('mutated forms', async () => {
  const gateway = await suiteGateway();
  const upstream = await startReadingUpstream();
  after(() => {
    closeConnections();
    upstream.stop();
  });

  test(`${FORMS} forms: every reader upstream sees what was checked and billed`, async (t) => {
    const options = { credit: '100000', channels: [{ base_url: upstream.baseUrl }] };
    const token = { options: { store_bodies: 'all' } as const };
    const price = { unit: 'image', amount: PLAIN_PRICE, by: IMAGE_PRICE } as const;
    const images = await makeWorld(gateway, t, { ...options, token, model: { price } });
    const sounds = await makeWorld(gateway, t, {
      ...options,
      token,
      model: { price: { unit: 'audio_second', amount: PLAIN_PRICE } },
    });
    const kinds: [World, AttackKind][] = [
      [images, imageKind('/v1/images/edits', images.model)],
      [images, imageKind('/v1/edits', images.model)],
      [sounds, audioKind('/v1/audio/transcriptions', sounds.model)],
      [sounds, audioKind('/v1/audio/translations', sounds.model)],
    ];
    const outcomes: Outcome[] = [];
    let next = FIRST_SEED;
    const lane = async (): Promise<void> => {
      while (next < FIRST_SEED + FORMS) {
        const seed = next++;
        const [world, kind] = kinds[seed % kinds.length] ?? assert.fail();
        outcomes.push({ seed, kind, world, ...(await sendForm(world, kind.path, makeAttack(seed, kind))) });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));

    const passed = outcomes.filter(({ status }) => status === 200);
    const refused = outcomes.filter(({ status }) => status !== 200);
    for (const { seed, status, text } of refused) {
      assert.ok([400, 404, 415].includes(status), `form ${seed}: ${status} ${text}`);
      assert.notEqual((JSON.parse(text) as { error: { message: string } }).error.message, '', `form ${seed}`);
    }
    assert.equal(upstream.received.length, passed.length, 'a refused form was sent');
    assert.ok(passed.length > FORMS / 10 && refused.length > FORMS / 10, 'both kinds of forms are needed');

    const python = findPython();
    const sent = passed.map(({ text }) => upstream.received[numberIn(text)] ?? assert.fail(text));
    if (python !== undefined)
      for (const [index, views] of (await readByPython(python, sent)).entries())
        for (const [reader, view] of views) sent[index]?.views.set(reader, view);

    const logged = new Map<string, LoggedRequest>();
    for (const { account } of [images, sounds])
      for (const request of await requestsOf(gateway, { account_id: account.id })) logged.set(request.id, request);
    const differing: string[] = [];
    for (const [index, { seed, requestId, kind, world }] of passed.entries()) {
      const request = logged.get(requestId) ?? assert.fail(`form ${seed} was not logged`);
      const views = sent[index]?.views ?? new Map<string, FormView>();
      assert.equal(views.size, python === undefined ? 3 : 5, `form ${seed}: readers`);
      const worth = (view: FormView): bigint => (world === images ? worthOfImages(view) : worthOfSound(view, request));
      const upstreamModel = `${world.model}.0`;
      try {
        compareReadings({ kept: await keptBody(requestId), logged: request, upstreamModel, views, worth });
      } catch (error) {
        const { contentTypes, body } = makeAttack(seed, kind);
        const shown = JSON.stringify(body.toString('latin1').slice(0, 800));
        differing.push(`form ${seed} to ${kind.path}: ${String(error)}\n${contentTypes.join(' | ')}\n${shown}`);
      }
    }
    assert.equal(
      differing.length,
      0,
      `${differing.length} of ${passed.length} read differently, first ${differing[0]}`,
    );
    for (const { seed, requestId } of refused)
      assert.equal(logged.get(requestId)?.charge ?? '0', '0', `form ${seed} was refused and charged`);
    const readers = [...(sent[0]?.views.keys() ?? [])].join(', ');
    t.diagnostic(`${FORMS} forms: ${refused.length} refused, ${passed.length} sent and compared in ${readers}`);
    if (python === undefined)
      t.diagnostic('no Python with starlette, python-multipart and werkzeug: those are left out');
  });

  async function keptBody(requestId: string): Promise<string> {
    let bodies: RequestBodies | undefined;
    await waitUntil(async () => {
      // They are written beside the request: not found while they are on their way.
      bodies = await gateway.operator<RequestBodies>('GET', `/requests/${requestId}/bodies`).catch(() => undefined);
      return bodies !== undefined;
    }, 'the body was not kept');
    return bodies?.request?.text ?? '';
  }
});

/** The number of the received form that an answer belongs to. */
function numberIn(answer: string): number {
  const { data, text } = JSON.parse(answer) as { data?: { url: string }[]; text?: string };
  return Number(text ?? data?.[0]?.url.split('/').at(-1));
}
