// Images and audio on both stores: what is made is charged once, also when the first channel fails (spec 2.8, 2.9).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_DATABASE_SERVER } from './support/gateway.ts';
import { assertSpoolEmpties, fileOf, filesOf, lastRequest, picture, sdkOf, sha256, wave } from './support/media.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

interface MediaCase {
  price: { unit: 'image' | 'characters' | 'audio_second'; amount: string };
  ask(world: World): Promise<unknown>;
  charge: string;
  /** SHA-256 of the file that every channel must get. */
  file?: string;
}

const PICTURE = picture(5_000);
const SOUND = wave(2.5);

const cases: Record<string, MediaCase> = {
  'an image': {
    price: { unit: 'image', amount: '0.04' },
    ask: (world) => sdkOf(world).images.generate({ model: world.model, prompt: 'a fox', n: 2, size: '256x256' }),
    charge: '0.08',
  },
  'an image edit': {
    price: { unit: 'image', amount: '0.04' },
    ask: (world) =>
      sdkOf(world).images.edit({
        model: world.model,
        prompt: 'a fox',
        size: '256x256',
        image: fileOf(PICTURE, 'fox.png', 'image/png'),
      }),
    charge: '0.04',
    file: sha256(PICTURE),
  },
  speech: {
    price: { unit: 'characters', amount: '15' },
    ask: async (world) => {
      const answer = await sdkOf(world).audio.speech.create({ model: world.model, voice: 'alloy', input: 'Hello' });
      assert.ok((await answer.arrayBuffer()).byteLength > 0);
    },
    charge: '0.000075',
  },
  'a transcription': {
    price: { unit: 'audio_second', amount: '0.0001' },
    ask: (world) =>
      sdkOf(world).audio.transcriptions.create({ model: world.model, file: fileOf(SOUND, 'a.wav', 'audio/wav') }),
    charge: '0.0003', // the upstream counts whole seconds
    file: sha256(SOUND),
  },
};

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`media on ${postgres ? 'PostgreSQL' : 'SQLite'}`, { skip, concurrency: 4 }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({ postgres });

    for (const [name, { price, ask, charge, file }] of Object.entries(cases)) {
      test(`${name} is made and charged`, async (t) => {
        const world = await makeWorld(gateway, t, { model: { price } });
        await ask(world);
        const logged = await lastRequest(world);
        assert.deepEqual([logged.status, logged.charge, logged.attempts.length], [200, charge, 1]);
      });

      test(`${name} is made by the next channel when one fails, and charged once`, async (t) => {
        const channels = [{ behave: 'fail-500', priority: 9 }, {}];
        const world = await makeWorld(gateway, t, { model: { price }, channels });
        await ask(world);
        const logged = await lastRequest(world);
        assert.deepEqual([logged.status, logged.charge], [200, charge]);
        assert.deepEqual(
          logged.attempts.map(({ error }) => error),
          ['overloaded', null],
        );
        for (const channel of [0, 1]) {
          const [call, ...others] = world.calls(channel);
          assert.equal(others.length, 0);
          if (file !== undefined) assert.equal(filesOf(call)[0]?.sha256, file);
        }
        await assertSpoolEmpties(gateway.dataFolder);
      });
    }
  });
}
