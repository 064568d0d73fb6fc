// deploy/prometheus and the dashboard of deploy/grafana with a real Prometheus (issue 33, Watching): it reads the gateway with a
// key of the role "metrics", takes every expression, has data for what happened, and its alerts fire. Without Prometheus on the
// machine it is skipped; `deploy-files.test.ts` checks the names of metrics everywhere.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { chat, readAnswer } from '../support/chat.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = spawnSync('prometheus', ['--version']).error === undefined ? false : 'prometheus is not installed';

/** Need what this test does not do: a limit that is met, videos, webhooks, bad figures, a dead process. */
const OF_RARE_EVENTS =
  /tollgate_(?:rate_limited|tasks_ended|webhook_attempts|usage_bounded|orphaned_holds|refused)_total/;

const read = (name: string): string => readFileSync(join('deploy', name), 'utf8');

interface Rule {
  alert: string;
  expr: string;
}
const rules = (parse(read('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(read('grafana/dashboards/tollgate.json')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
/** As Grafana sends them: with "All" chosen everywhere. */
const panels = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$\w+/g, '.*') })),
);

describe('deploy/prometheus in a real Prometheus', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-prometheus-'));
  let gateway: TestGateway;
  let proxy: Server;
  let prometheus: { process: ChildProcess; address: string };

  before(async () => {
    gateway = await startTestGateway();
    const { key } = await gateway.operator<{ key: string }>('POST', '/operator-keys', { name: 'p', role: 'metrics' });
    proxy = await startProxy(gateway.address);
    prometheus = await startPrometheus(folder, { target: hostOf(proxy), key });
  });
  after(async () => {
    prometheus.process.kill('SIGKILL');
    await once(prometheus.process, 'close');
    proxy.closeAllConnections();
    proxy.close();
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function ask<T>(path: string): Promise<T> {
    const response = await fetch(`${prometheus.address}/api/v1/${path}`);
    const answer = (await response.json()) as { status: string; data: T; error?: string };
    assert.equal(answer.status, 'success', `${decodeURIComponent(path)}: ${answer.error}`);
    return answer.data;
  }
  const query = async (expression: string): Promise<Sample[]> =>
    (await ask<{ result: Sample[] }>(`query?query=${encodeURIComponent(expression)}`)).result;
  const firing = async (name: string): Promise<Alert[]> =>
    (await ask<{ alerts: Alert[] }>('alerts')).alerts.filter(
      ({ labels, state }) => labels['alertname'] === name && state === 'firing',
    );

  test('the target is up by the key of metrics, and a wrong one is refused', async () => {
    await waitUntil(async () => (await query('up{job="tollgate"} == 1')).length === 1, 'the target does not come up');
    const headers = { authorization: 'Bearer tgo_wrong' };
    assert.equal((await fetch(`http://${hostOf(proxy)}/metrics`, { headers })).status, 403);
    const loaded = await ask<{ groups: { rules: { name: string; health: string }[] }[] }>('rules');
    assert.deepEqual(
      loaded.groups.flatMap((group) => group.rules.map(({ name }) => name)),
      rules.map(({ alert }) => alert),
    );
  });

  test('every expression of the dashboard and of the alerts is taken, and has data after traffic', async (t) => {
    const { good, bad } = await makeTraffic(t, gateway);
    const channel = bad.channels[0]?.name ?? '';
    // Rates need two samples of a series, so calls go on until each has them.
    const missing = async (): Promise<string[]> => {
      await readAnswer(await chat(good, 'hello'));
      await (await chat(bad, 'hello')).text();
      const empty: string[] = [];
      for (const { title, expr } of panels)
        if ((await query(expr)).length === 0 && !OF_RARE_EVENTS.test(expr)) empty.push(`${title}: ${expr}`);
      return empty;
    };
    let empty: string[] = [];
    await waitUntil(async () => {
      empty = await missing();
      return empty.length === 0;
    }, 'some have no data').catch((cause: unknown) => assert.fail(`${String(cause)}: ${empty.join('\n')}`));
    for (const { expr } of rules) await query(expr);
    // Prometheus leaves out a label that a metric does not have.
    for (const { expr } of panels.filter((panel) => /\bby \(/.test(panel.expr))) {
      const labels = (/\bby \(([^)]+)\)/.exec(expr)?.[1] ?? '')
        .split(', ')
        .filter((label) => !['', 'le'].includes(label));
      for (const { metric } of await query(expr)) assert.deepEqual(Object.keys(metric).sort(), labels.sort(), expr);
    }
    const [requests] = await query(`sum(tollgate_requests_total{model="${good.model}",status="200"})`);
    assert.ok(Number(requests?.value[1]) >= 1);
    assert.ok((await query(`tollgate_upstream_seconds_count{channel="${channel}"}`)).length > 0);
  });

  test('the alert of a channel that is down fires with its name', async (t) => {
    const { bad } = await makeTraffic(t, gateway);
    const channel = bad.channels[0]?.name;
    await waitUntil(async () => {
      await (await chat(bad, 'hello')).text(); // the breaker stays open while calls fail
      return (await firing('TollgateChannelDown')).some(({ labels }) => labels['channel'] === channel);
    }, 'the alert of the channel does not fire');
    const [alert] = (await firing('TollgateChannelDown')).filter(({ labels }) => labels['channel'] === channel);
    if (alert !== undefined) assert.match(alert.annotations['description'] ?? '', new RegExp(channel ?? ''));
  });

  test('the alert of a gateway that is down fires when it is stopped', async () => {
    // On a busy machine an answer can come too late for a scrape.
    await waitUntil(async () => (await firing('TollgateDown')).length === 0, 'the alert fires though it is up');
    await gateway.stop();
    await waitUntil(async () => (await firing('TollgateDown')).length === 1, 'the alert of the gateway does not fire');
  });
});

interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

interface Alert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  state: string;
}

/** One model that answers, and one whose channel never does. */
async function makeTraffic(t: TestContext, gateway: TestGateway): Promise<{ good: World; bad: World }> {
  const good = await makeWorld(gateway, t);
  const bad = await makeWorld(gateway, t, { channels: [{ behave: 'fail-500' }] });
  return { good, bad };
}

/** With the files of deploy/: only the target, the key's place and the times are this test's. */
async function startPrometheus(
  folder: string,
  { target, key }: { target: string; key: string },
): Promise<{ process: ChildProcess; address: string }> {
  writeFileSync(join(folder, 'key'), key);
  writeFileSync(join(folder, 'alerts.yml'), read('prometheus/alerts.yml').replaceAll(/for: \d+m/g, 'for: 1s'));
  const config = read('prometheus/prometheus.yml')
    .replace('evaluation_interval: 15s', 'evaluation_interval: 1s')
    .replace('scrape_interval: 15s', 'scrape_interval: 3s')
    .replace('/tmp/metrics-key', join(folder, 'key'))
    .replace('gateway:8080', target);
  writeFileSync(join(folder, 'prometheus.yml'), config);
  assert.ok(config.includes(target) && config.includes(join(folder, 'key')) && !config.includes('15s'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const server = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  server.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await waitUntil(async () => {
    assert.equal(server.exitCode, null, output);
    return (await fetch(`${address}/-/ready`).catch(() => undefined))?.ok === true;
  }, 'Prometheus does not start').catch((error: unknown) => {
    server.kill('SIGKILL');
    throw error;
  });
  return { process: server, address };
}

/** As from another machine: to this one /metrics is open without a key. */
async function startProxy(address: string): Promise<Server> {
  const { hostname, port } = new URL(address);
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.9' };
    const asked = request({ hostname, port, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    asked.end();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

const hostOf = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
