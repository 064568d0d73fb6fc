import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluator } from '../../alerts/testing/alert-rows.ts';
import { AddressRefused } from '../../providers/guarded/guarded-client.ts';
import type { AlertSinkRow } from '../../store/queries/alert-sinks.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeDelivery } from '../../alerts/alert-event.ts';
import { makeOperatorApp, START } from '../testing/operator-app.ts';

const guarded = {
  check(text: string) {
    if (text.includes('127.0.0.1')) throw new AddressRefused('not a public address');
    return new URL(text);
  },
};

onEveryStore((open) => {
  test('rules are listed with their defaults, set with an etag, and what is wrong is named (contract-2 10)', async () => {
    let woken = 0;
    const alerts = { hasMail: false, wake: () => void woken++, test: () => Promise.reject(new Error('no')) };
    const { call } = await makeOperatorApp(await open(), { alerts });
    const { data } = (await call('GET', '/alerts/rules')).body;
    assert.deepEqual(
      data.map(({ rule }: { rule: string }) => rule),
      [
        'channel_down',
        'key_rejected',
        'error_rate',
        'balance_low',
        'budget_used',
        'task_backlog',
        'store_slow',
        'spend_spike',
        'model_retires',
      ],
    );
    const path = '/alerts/rules/model_retires';
    const before = (await call('GET', path)).body;
    assert.deepEqual([before.enabled, before.thresholds, before.open], [true, { days: 14 }, 0]);
    const after = await call('PUT', path, { thresholds: { days: 30 } }, { 'if-match': before.etag });
    assert.deepEqual([after.status, after.body.thresholds, woken], [200, { days: 30 }, 1]);
    assert.equal((await call('PUT', path, { enabled: false }, { 'if-match': before.etag })).status, 412);
    assert.equal((await call('PUT', path, { enabled: false })).body.enabled, false);
    const wrong: [object, string][] = [
      [{ thresholds: { day: 1 } }, 'thresholds.day'],
      [{ thresholds: { days: 1.5 } }, 'thresholds.days'],
      [{ thresholds: { days: 366 } }, 'thresholds.days'],
      [{ thresholds: { days: '1' } }, 'thresholds.days'],
      [{ days: 1 }, 'days'],
    ];
    for (const [body, param] of wrong) {
      const refused = await call('PUT', path, body);
      assert.deepEqual([refused.status, refused.body.error.param], [400, param]);
    }
    assert.equal((await call('PUT', '/alerts/rules/nothing', {})).status, 400);
    const audit = (await call('GET', '/audit?resource=alert_rule')).body.data;
    assert.deepEqual(audit.at(-1).detail, { thresholds: { from: { days: 14 }, to: { days: 30 } } });
  });

  test('alerts are listed by state and rule, also as CSV, and read alone', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const evaluate = evaluator(store);
    await evaluate('store_slow', { writeTimes: [9_000, 9_000, 9_000] });
    const [alert] = (await call('GET', '/alerts?state=open&rule=store_slow')).body.data;
    assert.deepEqual([alert.state, alert.subject_kind, alert.severity], ['open', 'store', 'critical']);
    assert.deepEqual((await call('GET', `/alerts/${alert.id}`)).body, alert);
    assert.equal((await call('GET', '/alerts/alr_none')).status, 404);
    assert.deepEqual((await call('GET', '/alerts?state=resolved')).body.data, []);
    assert.deepEqual((await call('GET', '/alerts?rule=channel_down')).body.data, []);
    assert.equal((await call('GET', '/alerts/rules/store_slow')).body.open, 1);
    const file = await call('GET', '/alerts?format=csv');
    assert.match(String(file.headers['content-type']), /^text\/csv/);
  });

  test('a sink shows its secret once and the address of a chat as a hint; names are taken once', async () => {
    const { call } = await makeOperatorApp(await open(), { guarded });
    const hook = { name: 'hook', kind: 'webhook', url: 'https://example.com/hook' };
    const made = await call('POST', '/alerts/sinks', hook);
    assert.equal(made.status, 201);
    assert.match(made.body.secret, /^whsec_/);
    const path = `/alerts/sinks/${made.body.id}`;
    const read = (await call('GET', path)).body;
    assert.deepEqual([read.secret, read.has_secret, read.url, read.rules], [undefined, true, hook.url, null]);
    const slack = { name: 'chat', kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/verysecret' };
    const chat = (await call('POST', '/alerts/sinks', slack)).body;
    assert.deepEqual([chat.url, chat.secret, chat.has_secret], ['https://hooks.slack.com/…cret', null, false]);
    assert.equal((await call('POST', '/alerts/sinks', hook)).status, 409);
    const changes = { rules: ['channel_down'], resolved: false };
    const changed = await call('PATCH', path, changes, { 'if-match': read.etag });
    assert.deepEqual([changed.body.rules, changed.body.resolved, changed.body.secret], [['channel_down'], false, null]);
    assert.equal((await call('PATCH', path, { name: 'x' }, { 'if-match': read.etag })).status, 412);
    assert.match((await call('PATCH', path, { rotate_secret: true })).body.secret, /^whsec_/);
    assert.equal((await call('PATCH', `/alerts/sinks/${chat.id}`, { rotate_secret: true })).status, 400);
    assert.equal((await call('DELETE', path)).status, 204);
    assert.equal((await call('GET', path)).status, 404);
    const audit = JSON.stringify((await call('GET', '/audit?resource=alert_sink')).body.data);
    assert.ok(!audit.includes('verysecret') && !audit.includes('whsec_'), audit);
  });

  test('a sink that cannot work is refused with the field that is wrong', async () => {
    const alerts = { hasMail: false, wake() {}, test: () => Promise.reject(new Error('no')) };
    const { call } = await makeOperatorApp(await open(), { guarded, alerts });
    const wrong: [object, string, RegExp?][] = [
      [{ kind: 'webhook' }, 'url'],
      [{ kind: 'webhook', url: 'http://127.0.0.1/' }, 'url', /TOLLGATE_PRIVATE_HOSTS/],
      [{ kind: 'webhook', url: 'https://example.com', secret: 'short' }, 'secret'],
      [{ kind: 'webhook', url: 'https://example.com', to: ['a@example.com'] }, 'to'],
      [{ kind: 'slack', url: 'https://example.com', secret: 'x' }, 'secret'],
      [{ kind: 'mail', to: ['a@example.com'] }, 'kind', /TOLLGATE_SMTP_URL/],
      [{ kind: 'mail', to: ['nobody'] }, 'to.0'],
      [{ kind: 'mail' }, 'to'],
      [{ kind: 'pager', url: 'https://example.com' }, 'kind'],
      [{ kind: 'slack', url: 'https://example.com', rules: ['nothing'] }, 'rules.0'],
    ];
    for (const [body, param, message = /./] of wrong) {
      const refused = await call('POST', '/alerts/sinks', { name: 'x', ...body });
      assert.deepEqual([refused.status, refused.body.error.param], [400, param], JSON.stringify(body));
      assert.match(refused.body.error.message, message);
    }
  });

  test('a test answers with its line of the log; viewers read and change nothing', async () => {
    const store = await open();
    const test = async (sink: AlertSinkRow) => {
      const alert = {
        id: 'x',
        rule: 'channel_down',
        severity: 'warning',
        subject_kind: 'channel',
        subject: 'x',
      } as const;
      const words = { title: 'A test', detail: '', opened_at: 1, updated_at: 1, resolved_at: null };
      const row = makeDelivery({ sinkId: sink.id, event: 'test', alert: { ...alert, ...words }, now: START });
      const log = JSON.stringify([{ at: 1, status: 500, error: 'answered with 500', ms: 3 }]);
      const ended = { ...row, status: 'failed', attempts: 1, log, completed_at: 2 } as const;
      await store.transaction((transaction) => transaction.insertInto('alert_deliveries').values(ended).execute());
      return ended;
    };
    const alerts = { hasMail: true, wake() {}, test };
    const { call, bare } = await makeOperatorApp(store, { alerts });
    const sink = { name: 'ops', kind: 'mail', to: ['ops@example.com'] };
    const { id } = (await call('POST', '/alerts/sinks', sink)).body;
    const sent = await call('POST', `/alerts/sinks/${id}/test`);
    assert.deepEqual([sent.status, sent.body.status, sent.body.last_error], [200, 'failed', 'answered with 500']);
    const { data } = (await call('GET', `/alerts/sinks/${id}/deliveries`)).body;
    assert.deepEqual(data, [sent.body]);
    const { key } = (await call('POST', '/operator-keys', { name: 'reader', role: 'viewer' })).body;
    const viewer = { authorization: `Bearer ${key}` };
    assert.equal((await bare('GET', '/alerts/sinks', undefined, viewer)).status, 200);
    assert.equal((await bare('POST', `/alerts/sinks/${id}/test`, undefined, viewer)).status, 403);
    assert.equal((await bare('PUT', '/alerts/rules/store_slow', {}, viewer)).status, 403);
    assert.equal((await bare('POST', '/alerts/sinks', sink, viewer)).status, 403);
  });
});
