import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../store/store.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { totpCode } from '../testing/totp-code.ts';
import { type Answer, makeOperatorApp } from '../testing/operator-app.ts';

const PASSWORD = 'correct horse battery';
const PATH = '/session/second-factor';

async function enrolled(store: Store) {
  const app = await makeOperatorApp(store);
  const { id } = (
    await app.call('POST', '/operators', { name: 'eve', password: PASSWORD, must_change_password: false })
  ).body;
  const signIn = (more: object = {}) => app.bare('POST', '/session', { name: 'eve', password: PASSWORD, ...more });
  const headersOf = (answer: Answer) => ({
    cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '',
    'x-csrf-token': String(answer.body.csrf_token),
  });
  const other = headersOf(await signIn());
  const own = headersOf(await signIn());
  const post = (path: string, body: object) => app.bare('POST', `${PATH}${path}`, body, own);
  const { secret, uri } = (await post('', { password: PASSWORD })).body;
  const codeNow = (steps = 0) => totpCode(secret, Math.floor(app.clock.now() / 30_000) + steps);
  return { ...app, id, signIn, own, other, post, secret, uri, codeNow };
}

onEveryStore((open) => {
  test('a second factor is asked for once it is confirmed, and each code signs in once', async () => {
    const { bare, signIn, own, other, post, secret, uri, codeNow, clock, store } = await enrolled(await open());
    assert.match(uri, new RegExp(`^otpauth://totp/Tollgate:eve\\?.*secret=${secret}&`));
    assert.equal((await signIn()).status, 201, 'not confirmed yet');
    assert.deepEqual((await post('/confirm', { code: '000000' })).body.error.param, 'code');
    const { recovery_codes: codes } = (await post('/confirm', { code: codeNow() })).body;
    assert.equal(new Set(codes).size, 10);
    assert.equal((await bare('GET', '/session', undefined, other)).status, 401, 'other sessions have ended');
    assert.deepEqual((await bare('GET', PATH, undefined, own)).body, { enabled: true, recovery_codes_left: 10 });

    const bald = await signIn();
    assert.deepEqual([bald.status, bald.body.error.code], [401, 'second_factor_required']);
    assert.equal((await signIn({ password: 'wrong password' })).body.error.code, 'invalid_api_key');
    assert.equal((await signIn({ code: codeNow() })).status, 401, 'the code that confirmed it was used');
    clock.move(30);
    assert.equal((await signIn({ code: codeNow() })).status, 201);
    assert.equal((await signIn({ code: codeNow() })).status, 401);
    assert.equal((await signIn({ code: codeNow(-1) })).status, 401);
    assert.equal((await signIn({ code: codes[3] })).status, 201);
    assert.equal((await signIn({ code: codes[3] })).status, 401, 'a recovery code is good once');
    assert.equal((await bare('GET', PATH, undefined, own)).body.recovery_codes_left, 9);

    const kept = JSON.stringify(await store.reads.selectFrom('operators').selectAll().execute());
    for (const text of [secret, ...codes]) assert.ok(!kept.includes(text), 'secrets are not readable in the database');
  });

  test('two sign-ins with the same code at once: one is let in', async () => {
    const { signIn, post, codeNow, clock } = await enrolled(await open());
    await post('/confirm', { code: codeNow() });
    clock.move(60);
    const answers = await Promise.all([1, 2, 3].map(() => signIn({ code: codeNow() })));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 401, 401],
    );
  });

  test('a person with the password alone cannot guess codes without end', async () => {
    const { signIn, post, codeNow, clock } = await enrolled(await open());
    await post('/confirm', { code: codeNow() });
    clock.move(60);
    const seen = new Set<number>();
    for (let round = 0; round < 12; round++) {
      await signIn();
      seen.add((await signIn({ code: '000000' })).status);
    }
    assert.ok(seen.has(429));
    assert.equal((await signIn({ code: codeNow() })).status, 429);
  });

  test('it is given up with password and code, or taken away by an admin', async () => {
    const { call, bare, signIn, id, own, post, codeNow, clock } = await enrolled(await open());
    assert.equal((await call('GET', PATH)).status, 403, 'the operator key has none');
    assert.equal((await post('/remove', { password: PASSWORD, code: codeNow() })).status, 409);
    await post('/confirm', { code: codeNow() });
    assert.equal((await post('', { password: PASSWORD })).status, 409);
    clock.move(60);
    assert.equal((await post('/remove', { password: 'wrong password', code: codeNow() })).body.error.param, 'password');
    assert.equal((await post('/remove', { password: PASSWORD, code: '000000' })).body.error.param, 'code');
    assert.equal((await post('/remove', { password: PASSWORD, code: codeNow() })).status, 204);
    assert.equal((await signIn()).status, 201);

    const { secret } = (await post('', { password: PASSWORD })).body;
    await post('/confirm', { code: totpCode(secret, Math.floor(clock.now() / 30_000)) });
    assert.equal((await call('GET', '/operators')).body.data[0].second_factor, true);
    assert.equal((await call('PATCH', `/operators/${id}`, { second_factor: true })).status, 400);
    assert.equal((await call('PATCH', `/operators/${id}`, { second_factor: false })).body.second_factor, false);
    assert.equal((await bare('GET', '/session', undefined, own)).status, 401, 'their sessions have ended');
    assert.equal((await signIn()).status, 201);
  });
});
