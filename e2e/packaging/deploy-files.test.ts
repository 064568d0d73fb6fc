// What deploy/ holds is checked with the tools that read it, where they are installed; what it says of Tollgate, always.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readConfig } from '../../server/src/start/config.ts';
import { Metrics } from '../../server/src/telemetry/metrics.ts';

const read = (name: string): string => readFileSync(join('deploy', name), 'utf8');

/** Runs a tool, or says why it cannot. */
function without(tool: string, ...args: string[]): false | string {
  return spawnSync(tool, args).error === undefined ? false : `${tool} is not installed`;
}

function passes(tool: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
  return stdout;
}

function inScratch(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-deploy-'));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Metrics that an expression of PromQL names, with the labels that it asks for. */
function namedMetrics(expression: string): { name: string; labels: string[] }[] {
  const found = expression.matchAll(/\b(tollgate_[a-z_]+)(?:\{([^}]*)\})?/g);
  return [...found].map(([, name = '', matchers = '']) => ({
    name: name.replace(/_(?:bucket|sum|count)$/, ''),
    labels: Array.from(matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g), ([, label = '']) => label),
  }));
}

test('every metric and label of the dashboard and the alert rules exists', () => {
  const dashboard = JSON.parse(read('grafana/dashboards/tollgate.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const rules = parse(read('prometheus/alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const expressions = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
  ];
  const known = new Map(
    new Metrics().registry
      .getMetricsAsArray()
      .map((metric) => [metric.name, (metric as unknown as { labelNames?: string[] }).labelNames ?? []]),
  );
  const named = expressions.flatMap(namedMetrics);
  assert.ok(named.length > 25, `only ${named.length} are named`);
  for (const { name, labels } of named) {
    const has = known.get(name);
    assert.ok(has !== undefined, `${name} is no metric of the gateway`);
    for (const label of labels) assert.ok(has.includes(label), `${name} has no label ${label}`);
  }
});

test('every setting of the container, the compose file, the chart and the unit is one that the gateway takes', () => {
  const compose = parse(read('compose.yaml')) as { services: { gateway: { environment: Record<string, string> } } };
  const values = parse(read('helm/tollgate/values.yaml')) as { settings: object; secret: object };
  const chart = Array.from(
    read('helm/tollgate/templates/deployment.yaml').matchAll(/name: ([A-Z_]{4,})/g),
    (m) => m[1],
  );
  const image =
    read('Containerfile')
      .match(/^ENV (.+)$/m)?.[1]
      ?.matchAll(/([A-Z_]+)=/g) ?? [];
  const unit =
    read('systemd/tollgate.service')
      .match(/^Environment=(.+)$/m)?.[1]
      ?.matchAll(/([A-Z_]+)=/g) ?? [];
  const names = new Set([
    ...Object.keys(compose.services.gateway.environment),
    ...Object.keys(values.settings),
    ...Object.keys(values.secret),
    ...chart,
    ...Array.from(image, (match) => match[1]),
    ...Array.from(unit, (match) => match[1]),
  ]);
  assert.ok(names.size >= 10, [...names].join());
  // A name beginning so that is no setting stops the start.
  const secrets = /SECRET|KEY/;
  const environment = Object.fromEntries(
    [...names].map((name = '') => [name, secrets.test(name) ? '0123456789abcdef' : '']),
  );
  assert.doesNotThrow(() => readConfig(environment));
  assert.throws(() => readConfig({ ...environment, TOLLGATE_SANDBOXX: '' }), /TOLLGATE_SANDBOXX is not a setting/);
});

test('promtool takes the alert rules and the configuration', { skip: without('promtool', '--version') }, () => {
  passes('promtool', 'check', 'rules', 'deploy/prometheus/alerts.yml');
  passes('promtool', 'check', 'config', '--syntax-only', 'deploy/prometheus/prometheus.yml');
});

test(
  'promtool finds nothing wrong in /metrics (contract-2 10)',
  { skip: without('promtool', '--version') },
  async () => {
    const input = await new Metrics().registry.metrics();
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  },
);

test('systemd takes the unit', { skip: without('systemd-analyze', '--version') }, () => {
  passes('systemd-analyze', 'verify', 'deploy/systemd/tollgate.service');
});

test('nginx takes its example', { skip: without('nginx', '-v') || without('openssl', 'version') }, () => {
  inScratch((folder) => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    passes(
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      '/CN=ai.example.com',
      '-keyout',
      key,
      '-out',
      certificate,
    );
    const site = read('nginx/tollgate.conf')
      .replace(/\/etc\/ssl\/\S+\.key/, key)
      .replace(/\/etc\/ssl\/\S+\.pem/, certificate);
    writeFileSync(join(folder, 'site.conf'), site);
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/pid; events {} http { access_log off; include ${folder}/site.conf; }`,
    );
    passes('nginx', '-t', '-q', '-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf'));
  });
});

test('caddy takes its example', { skip: without('caddy', 'version') }, () => {
  passes('caddy', 'validate', '--adapter', 'caddyfile', '--config', 'deploy/caddy/Caddyfile');
});

test('helm renders the chart, and refuses it without a secret', { skip: without('helm', 'version') }, () => {
  inScratch((folder) => {
    const chart = join(folder, 'tollgate');
    cpSync('deploy/helm/tollgate', chart, { recursive: true });
    const set = 'secret.TOLLGATE_SECRET=0123456789abcdef,secret.DATABASE_URL=postgres://db/tollgate';
    const all = `${set},ingress.enabled=true,persistence.enabled=true,ingress.tlsSecret=tls`;
    passes('helm', 'lint', chart, '--set', set);
    const text = passes('helm', 'template', 'gate', chart, '--set', all);
    const kinds = text.split(/^---$/m).flatMap((one) => /^kind: (\w+)$/m.exec(one)?.[1] ?? []);
    assert.deepEqual(kinds.sort(), [
      'Deployment',
      'Ingress',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Secret',
      'Service',
    ]);
    const refused = spawnSync('helm', ['template', 'gate', chart], { encoding: 'utf8' });
    assert.match(refused.stderr, /TOLLGATE_SECRET/);
  });
});

test('the chart has the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { appVersion } = parse(read('helm/tollgate/Chart.yaml')) as { appVersion: string };
  assert.equal(appVersion, version);
});

test('every file of deploy/ is named in its guide', () => {
  const guide = read('README.md');
  for (const file of globSync('**/*.{yaml,yml,conf,json,service}', { cwd: 'deploy' })) {
    if (/^helm\/|provisioning/.test(file)) continue;
    assert.ok(guide.includes(file), `${file} is not in deploy/README.md`);
  }
});
