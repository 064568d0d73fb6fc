// Checks who imports whom, against the one table below (docs/architecture.md explains it). Fails on the first wrong direction.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

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
  catalogue: ['store'],
  access: ['store', 'catalogue'],
  routing: ['store', 'catalogue'],
  billing: ['store', 'catalogue', 'neutral'],
  relay: ['access', 'routing', 'billing', 'providers', 'protocols', 'telemetry', 'catalogue', 'store', 'neutral'],
  tasks: ['access', 'routing', 'billing', 'providers', 'neutral', 'telemetry', 'catalogue', 'store', 'relay'],
  endpoints: ['relay', 'tasks', 'catalogue', 'protocols', 'access', 'media', 'neutral'],
  operator: ['tasks', 'access', 'catalogue', 'routing', 'billing', 'store', 'telemetry', 'contract', 'providers'],
  http: ['endpoints', 'operator', 'telemetry', 'access', 'protocols', 'relay', 'neutral'],
  sandbox: [],
  workers: ['sandbox'],
};
const wiring = ['gateway.ts', 'main.ts', 'run.ts', 'config.ts', 'first-start.ts', 'master-secret.ts', 'welcome.ts'];
// Only these may use the HTTP framework or the outgoing client.
const packageOwners = {
  fastify: ['http', 'operator'],
  undici: ['providers'],
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
    problems.push(`${file}: no such room in the house; add it to scripts/check-imports.mjs and docs/architecture.md`);
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
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
