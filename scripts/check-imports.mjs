// Checks who imports whom, against the one table below (docs/architecture.md explains it). Fails on the first wrong direction.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findCircles } from './find-circles.mjs';

const everyone = ['shared', 'errors'];
// Folder of server/src -> folders it may import, beside itself, `shared` and `errors`.
const allowed = {
  shared: [],
  errors: [],
  neutral: [],
  media: [],
  protocols: ['neutral', 'media'],
  providers: ['neutral', 'protocols'],
  telemetry: [],
  store: ['telemetry'],
  catalogue: ['store', 'neutral'],
  access: ['store', 'catalogue'],
  routing: ['store', 'catalogue'],
  billing: ['store', 'catalogue', 'neutral'],
  relay: ['access', 'routing', 'billing', 'providers', 'protocols', 'telemetry', 'catalogue', 'store', 'neutral'],
  deliveries: ['providers'],
  alerts: ['store', 'billing', 'deliveries', 'providers', 'contract'],
  tasks: [
    'deliveries',
    'access',
    'routing',
    'billing',
    'providers',
    'protocols',
    'neutral',
    'telemetry',
    'catalogue',
    'store',
    'relay',
  ],
  files: ['store', 'neutral'],
  batches: ['store', 'access', 'catalogue', 'billing', 'relay', 'protocols', 'files'],
  export: ['store', 'billing', 'files', 'operator', 'telemetry', 'contract'],
  endpoints: ['relay', 'tasks', 'files', 'batches', 'billing', 'catalogue', 'protocols', 'access', 'media', 'neutral'],
  operator: [
    'deliveries',
    'alerts',
    'tasks',
    'access',
    'catalogue',
    'routing',
    'billing',
    'store',
    'telemetry',
    'contract',
    'providers',
  ],
  portal: ['operator', 'tasks', 'access', 'billing', 'store', 'contract'],
  http: ['endpoints', 'operator', 'portal', 'telemetry', 'access', 'protocols', 'relay', 'neutral'],
  sandbox: [],
  workers: ['sandbox', 'access'],
};
// The wiring may import every folder, and no folder imports it.
const wiring = ['gateway.ts', 'main.ts', 'run.ts'];
allowed.start = [...Object.keys(allowed), 'contract', 'gateway.ts'];
// Only these may use the HTTP framework or the outgoing client.
const packageOwners = {
  fastify: ['http', 'operator', 'portal'],
  undici: ['providers', 'shared'],
  ws: ['shared'],
  ioredis: ['access'],
  kysely: ['store'],
  pg: ['store'],
  'node:sqlite': ['store'],
};

const problems = [];
for (const file of globSync('server/src/**/*.ts')) {
  if (file.endsWith('.test.ts')) continue;
  const path = relative('server/src', file);
  const folder = path.includes('/') ? path.split('/')[0] : undefined;
  if (folder === undefined && wiring.includes(path)) continue;
  if (folder === undefined || (allowed[folder] === undefined && folder !== 'testing')) {
    problems.push(`${file}: no such folder; add it to scripts/check-imports.mjs and docs/architecture.md`);
    continue;
  }
  if (folder === 'testing') continue;
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    const target = specifier.startsWith('.')
      ? relative('server/src', join(dirname(file), specifier)).split('/')[0]
      : specifier.startsWith('#contract/')
        ? 'contract'
        : undefined;
    if (target !== undefined && target !== folder && !everyone.includes(target) && !allowed[folder].includes(target)) {
      problems.push(`${file}: ${folder} may not import ${target} (${specifier})`);
    }
    const owners = packageOwners[specifier.split('/')[0] ?? ''] ?? packageOwners[specifier];
    if (owners !== undefined && !owners.includes(folder))
      problems.push(`${file}: only ${owners.join(' and ')} may import ${specifier}`);
  }
}
for (const file of globSync('contract/src/**/*.ts')) {
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/from\s+'([^']+)'/g)) {
    if (!specifier.startsWith('./') && specifier !== 'zod' && !file.endsWith('.test.ts'))
      problems.push(`${file}: contract imports only itself and zod (${specifier})`);
  }
}
// Tests use scripts, never the other way round.
for (const file of globSync('scripts/**/*.{ts,mjs}')) {
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    if (join(dirname(file), specifier).startsWith('e2e/'))
      problems.push(`${file}: scripts may not import e2e (${specifier})`);
  }
}
for (const circle of findCircles()) problems.push(`these files import each other in a circle: ${circle.join(', ')}`);
// Layer of console/src -> layers it may import, beside itself and the contract. Features never import each other.
const consoleLayers = {
  i18n: [],
  lib: ['i18n'],
  components: ['i18n', 'lib'],
  features: ['i18n', 'lib', 'components'],
  routes: ['i18n', 'lib', 'components', 'features'],
  app: ['i18n', 'lib', 'components', 'features', 'routes'],
  'main.tsx': ['i18n', 'lib', 'components', 'app'],
  portal: ['i18n', 'lib', 'components'],
};
for (const file of globSync('console/src/**/*.{ts,tsx}')) {
  const [layer = '', feature] = relative('console/src', file).split('/');
  const mayImport = consoleLayers[layer];
  if (mayImport === undefined) {
    problems.push(
      `${file}: no such layer of the console; add it to scripts/check-imports.mjs and docs/architecture.md`,
    );
    continue;
  }
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)) {
    const [target = '', other] = relative('console/src', join(dirname(file), specifier)).split('/');
    if (target === '..') problems.push(`${file}: the console imports only itself and the contract (${specifier})`);
    else if (target !== layer && !mayImport.includes(target))
      problems.push(`${file}: ${layer} may not import ${target} (${specifier})`);
    else if (layer === 'features' && target === 'features' && other !== feature)
      problems.push(`${file}: features never import each other (${specifier})`);
  }
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
