import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstIdAt } from '../../shared/ids.ts';
import { findBodies, forgetBodies, insertBodies, sealBodies } from '../../store/queries/request-bodies.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

const AT = 1_760_000_000;
const idAt = (seconds: number): string => `${firstIdAt('req', seconds * 1000)}x`;
const pair = {
  request: { contentType: 'application/json', bytes: 9, text: '{"a":"ö"}' },
  answer: { contentType: 'audio/mpeg', bytes: 70_000, text: null },
};

onEveryStore((open) => {
  test('kept bodies are read by admins, and by no viewer', async () => {
    const store = await open();
    const { call, bare, secretBox } = await makeOperatorApp(store);
    const row = { id: idAt(AT), sealed: sealBodies(pair, secretBox), created_at: AT };
    await insertBodies(store, [row]);
    await insertBodies(store, [row]); // written twice, kept once
    const { body } = await call('GET', `/requests/${row.id}/bodies`);
    assert.deepEqual(body, {
      request_id: row.id,
      request: { content_type: 'application/json', bytes: 9, text: '{"a":"ö"}' },
      answer: { content_type: 'audio/mpeg', bytes: 70_000, text: null },
      created_at: AT,
    });
    assert.equal((await call('GET', '/requests/req_none/bodies')).status, 404);
    const eve = { name: 'eve', password: 'correct horse battery' };
    await call('POST', '/operators', { ...eve, must_change_password: false });
    const session = await bare('POST', '/session', eve);
    const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
    const asked = await bare('GET', `/requests/${row.id}/bodies`, undefined, { cookie });
    assert.deepEqual([asked.status, asked.body.error.code], [403, 'forbidden']);
  });

  test('bodies are forgotten after their time, in steps', async () => {
    const store = await open();
    const { secretBox } = await makeOperatorApp(store);
    const sealed = sealBodies(pair, secretBox);
    const rows = Array.from({ length: 250 }, (_, number) => ({ id: idAt(AT + number), sealed, created_at: AT }));
    await insertBodies(store, rows);
    assert.equal(await forgetBodies(store, AT + 249), true, 'more is left');
    assert.equal(await forgetBodies(store, AT + 249), false);
    assert.equal(await findBodies(store.reads, idAt(AT + 248)), undefined);
    assert.equal((await findBodies(store.reads, idAt(AT + 249)))?.id, idAt(AT + 249));
  });
});
