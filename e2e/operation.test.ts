// The gateway as its operator runs it: what it prints, its probes and documents, and how it stops (contract 1).
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { chat, takeApart } from './support/chat.ts';
import { OPERATOR_KEY } from './support/gateway.ts';
import { type Printed, startProcess } from './support/process.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld, suiteGateway } from './support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-operation-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Does what the printed curl line does. */
function runCurl({ curl = '' }: Printed): Promise<Response> {
  const [, url = ''] = /^curl (\S+)/.exec(curl) ?? [];
  const headers = [...curl.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]);
  const [, body = ''] = /-d '([^']+)'/.exec(curl) ?? [];
  return fetch(url, { method: 'POST', headers: Object.fromEntries(headers) as Record<string, string>, body });
}

describe('starts', { concurrency: 4 }, () => {
  test('the first prints all that the first call needs, the second prints no secret', async (t) => {
    const settings = { TOLLGATE_DATA_DIR: join(folder, 'first') };
    const first = await startProcess(settings);
    t.after(() => first.stop('SIGKILL'));
    const { printed } = first;
    assert.equal(printed.console, `${printed.address}/console`);
    assert.equal(printed.operator, 'admin');
    assert.match(printed.password ?? '', /^\S{16,}$/);
    assert.match(printed.demoToken ?? '', /^sk-[A-Za-z0-9]{40,}$/);
    const answer = await runCurl(printed);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /You said: Hello!/);
    assert.equal((await fetch(printed.console ?? '')).status, 200);
    const signedIn = await fetch(`${printed.address}/operator/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: printed.operator, password: printed.password }),
    });
    assert.ok(signedIn.ok, await signedIn.text());
    assert.equal(await first.stop(), 0);
    const output = first.output();
    const logged = output.stdout.slice(output.stdout.indexOf('curl ')).split('\n').slice(1).join('\n');
    for (const secret of [printed.password ?? '', printed.demoToken ?? ''])
      assert.ok(!logged.includes(secret) && !output.stderr.includes(secret));

    for (const name of readdirSync(join(folder, 'first')))
      if (name === 'secret') assert.equal(statSync(join(folder, 'first', name)).mode & 0o777, 0o600);
    assert.ok(existsSync(join(folder, 'first', 'secret')));

    const second = await startProcess(settings);
    t.after(() => second.stop('SIGKILL'));
    const { stdout, stderr } = second.output();
    assert.ok(second.printed.console !== undefined);
    assert.equal(second.printed.password ?? second.printed.demoToken ?? second.printed.curl, undefined, stdout);
    assert.ok(!`${stdout}${stderr}`.includes(printed.demoToken ?? 'x'));
    const again = await runCurl({ ...printed, curl: printed.curl?.replace(printed.address, second.address) });
    assert.equal(again.status, 200, 'the demo token lives on');
    assert.equal(await second.stop(), 0);
  });

  test('a chosen password is not printed, and without the sandbox there is no demo token', async (t) => {
    const password = 'chosen by the operator';
    const started = await startProcess({
      TOLLGATE_DATA_DIR: join(folder, 'chosen'),
      TOLLGATE_OPERATOR_PASSWORD: password,
      TOLLGATE_SANDBOX: 'off',
    });
    t.after(() => started.stop('SIGKILL'));
    assert.ok(!started.output().stdout.includes(password));
    assert.equal(started.printed.demoToken ?? started.printed.curl, undefined);
    const signedIn = await fetch(`${started.address}/operator/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'admin', password }),
    });
    assert.ok(signedIn.ok);
    assert.equal(await started.stop('SIGINT'), 0);
  });

  test('several workers answer on one port, share the store and stop together', async (t) => {
    const started = await startProcess({ TOLLGATE_DATA_DIR: join(folder, 'workers'), TOLLGATE_WORKERS: '2' });
    t.after(() => started.stop('SIGKILL'));
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await runCurl(started.printed)).status));
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(await started.stop(), 0);
  });

  test('SIGHUP stops a process without workers as SIGTERM does', async (t) => {
    const started = await startProcess({ TOLLGATE_DATA_DIR: join(folder, 'hang-up') });
    t.after(() => started.stop('SIGKILL'));
    assert.equal(await started.stop('SIGHUP'), 0);
    await waitUntil(() => /"message":"stopped"/.test(started.output().stdout), 'the last log line is missing');
  });

  test('SIGTERM lets a running stream end, takes nothing new meanwhile, and ends with 0', async (t) => {
    const started = await startProcess({ TOLLGATE_DATA_DIR: join(folder, 'stopping') });
    t.after(() => started.stop('SIGKILL'));
    const ask = (content: string): Promise<Response> =>
      fetch(`${started.address}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${started.printed.demoToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sandbox-chat', stream: true, messages: [{ role: 'user', content }] }),
      });
    const running = await ask('[[pace 100]] [[long 40]]');
    started.child.kill('SIGTERM');
    let refused = 200;
    const isRefused = async (): Promise<boolean> => {
      refused = await ask('new').then(
        async (response) => (await response.text(), response.status),
        () => 0,
      );
      return refused !== 200;
    };
    await waitUntil(isRefused, 'it goes on taking calls');
    assert.ok(refused === 0 || refused === 503, `${refused}`);
    const { text, done, error } = takeApart(await running.text());
    assert.ok(done && error === undefined);
    assert.equal(text.split(' ').length, 40);
    await waitUntil(() => started.child.exitCode !== null, 'the stream has ended, the process has not');
    assert.equal(await started.ended, 0);
    await waitUntil(() => /"message":"stopped"/.test(started.output().stdout), 'the last log line is missing');
    assert.match(
      started.output().stdout,
      /"under_way":[12],"message":"stopping: what is under way may end, within 120 s"/,
    );
  });
});

describe('a running gateway', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(gateway.address + path, { headers, redirect: 'manual' });

  test('says that it lives and is ready, and nothing more', async () => {
    assert.deepEqual(await (await get('/healthz')).json(), { status: 'ok' });
    // On a busy machine a look at the store can take longer than a probe waits.
    let ready: unknown;
    const isReady = async (): Promise<boolean> => {
      const answer = await get('/readyz');
      ready = await answer.json();
      return answer.status === 200;
    };
    await waitUntil(isReady, 'it does not become ready');
    assert.deepEqual(ready, { status: 'ready' });
    for (const path of ['/healthz', '/readyz'])
      assert.match((await get(path)).headers.get('x-request-id') ?? '', /^req_/);
  });

  test('shows metrics to this machine and to the operator key, not to strangers', async () => {
    const local = await get('/metrics');
    assert.equal(local.status, 200);
    assert.match(local.headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(await local.text(), /^# TYPE tollgate_requests_total counter$/m);
    for (const name of ['x-forwarded-for', 'forwarded']) {
      const forwarded = { [name]: name === 'forwarded' ? 'for=203.0.113.9' : '203.0.113.9' };
      assert.equal((await get('/metrics', forwarded)).status, 403, name);
      assert.equal((await get('/metrics', { ...forwarded, authorization: 'Bearer wrong' })).status, 403, name);
      const operator = await get('/metrics', { ...forwarded, authorization: `Bearer ${OPERATOR_KEY}` });
      assert.equal(operator.status, 200, name);
    }
  });

  test('metrics are open to nobody whom a proxy of any make passes on (contract-2 10)', async () => {
    for (const name of [
      'x-real-ip',
      'via',
      'x-scheme',
      'x-request-start',
      'x-arr-log-id',
      'x-vercel-forwarded-for',
      'x-appengine-user-ip',
      'x-nf-client-connection-ip',
      'do-connecting-ip',
      'ali-cdn-real-ip',
      'wl-proxy-client-ip',
      'x-remote-addr',
      'x-source-ip',
    ])
      assert.equal((await get('/metrics', { [name]: '203.0.113.9' })).status, 403, name);
    for (const name of ['x-request-id', 'accept-language', 'x-prometheus-scrape-timeout-seconds'])
      assert.equal((await get('/metrics', { [name]: '1' })).status, 200, name);
  });

  test('names a channel that is kept out as the operator named it (contract-2 10)', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'fail-500' }] });
    const line = `tollgate_channel_open_breaker{channel="${world.channels[0]?.name}"} 1`;
    await waitUntil(async () => {
      await (await chat(world, 'hello')).text();
      return (await (await get('/metrics')).text()).split('\n').includes(line);
    }, `/metrics has no line ${line}`);
  });

  test('documents the public and the operator API', async () => {
    const response = await get('/openapi.json');
    assert.equal(response.status, 200);
    const { openapi, paths } = (await response.json()) as { openapi: string; paths: Record<string, unknown> };
    assert.match(openapi, /^3\./);
    for (const path of ['/v1/chat/completions', '/v1/models', '/operator/v1/tokens', '/operator/v1/channels'])
      assert.ok(paths[path] !== undefined, `${path} is not documented`);
  });

  test('its pages load nothing from outside', async () => {
    for (const page of ['/docs/', '/console']) {
      let response = await get(page);
      const moved = response.headers.get('location');
      const url = new URL(moved ?? page, `${gateway.address}${page}`);
      if (moved !== null) response = await get(url.pathname);
      assert.equal(response.status, 200, page);
      const html = await response.text();
      const loaded = [...html.matchAll(/(?:src|href|action)\s*=\s*["']?([^"'\s>]+)/gi)].map(
        ([, target = '']) => target,
      );
      for (const target of loaded) assert.ok(!/^(https?:)?\/\//.test(target), `${page} loads ${target}`);
      assert.ok(!/@import|url\(\s*["']?https?:/i.test(html), page);
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.ok(!/https?:|\*/.test(policy), policy);
      for (const script of loaded.filter((target) => target.endsWith('.js')))
        assert.equal((await get(new URL(script, url).pathname)).status, 200, script);
    }
  });
});
