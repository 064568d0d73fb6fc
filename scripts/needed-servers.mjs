// Which servers the chosen test files need, read from their text and the text of what they import: a test that has nothing
// to do with PostgreSQL or Redis waits for neither.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const POSTGRES = /TEST_DATABASE_URL|\b(?:NO_)?DATABASE_SERVER\b|\bpostgres: true\b/;
const REDIS = /TEST_REDIS_URL/;
/** Offers both kinds of gateway: a test that wants PostgreSQL names one of the words above itself. */
const OFFERS = resolve('e2e/support/gateway.ts');
/** Modules, and programs that a test starts. */
const REFERENCES = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.[^']+)'/g;

/** Says for the files together whether one of them needs PostgreSQL, and whether one needs Redis. */
export function neededServers(files) {
  const needed = { postgres: false, redis: false };
  const seen = new Set();
  const waiting = files.map((file) => resolve(file));
  for (let file = waiting.pop(); file !== undefined && !(needed.postgres && needed.redis); file = waiting.pop()) {
    if (seen.has(file) || !/\.m?[jt]sx?$/.test(file) || !existsSync(file)) continue;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    needed.postgres ||= file !== OFFERS && POSTGRES.test(text);
    needed.redis ||= REDIS.test(text);
    for (const [, path] of text.matchAll(REFERENCES)) waiting.push(resolve(dirname(file), path));
  }
  return needed;
}
