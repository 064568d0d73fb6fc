// No secret in any log line, answer, metric or byte of the database: tokens, upstream keys, the operator key, passwords.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import { chat } from './support/chat.ts';
import { NO_DATABASE_SERVER, OPERATOR_KEY, type TestGateway } from './support/gateway.ts';
import { makeWorld, suiteGateway } from './support/world.ts';

const UPSTREAM_KEYS = ['good-upstream-key-4711', 'bad-upstream-key-0815', 'limited-upstream-key-42'];
const HEADER = 'extra-header-secret-99';
const PASSWORD = 'a password of an operator';

/** Everything that the database holds, as text. */
async function dump({ databaseUrl, dataFolder }: TestGateway): Promise<string> {
  if (databaseUrl === undefined)
    return readdirSync(dataFolder)
      .map((name) => readFileSync(join(dataFolder, name), 'latin1'))
      .join('\n');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  let all = '';
  for (const { name } of tables.rows) all += JSON.stringify((await client.query(`select * from "${name}"`)).rows);
  await client.end();
  return all;
}

function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')];
}

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`secrets on ${postgres ? 'PostgreSQL' : 'SQLite'}`, { skip }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({ postgres, settings: { LOG_LEVEL: 'trace' } });

    test('appear nowhere after traffic of every kind (promises A-01, A-02, A-03)', async (t) => {
      const seen: string[] = [];
      const show = async (response: Response): Promise<void> => {
        seen.push(JSON.stringify([...response.headers]), await response.text());
      };
      const world = await makeWorld(gateway, t, {
        channels: UPSTREAM_KEYS.map((key) => ({ keys: [key], headers: { 'x-team': HEADER } })),
      });
      await gateway.operator('POST', '/operators', { name: 'second', password: PASSWORD, role: 'admin' });
      for (const content of ['plain', '[[fail 400]]', '[[fail 500]]', '[[garbage]]', '[[reset]]', '[[unauthorised]]'])
        for (const stream of [false, true]) await show(await chat(world, content, { stream }));
      const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
        fetch(gateway.address + path, { headers });
      await show(await get(`/v1beta/models?key=${world.key}`));
      await show(await get(`/v1beta/nothing?key=${world.key}`));
      await show(await get(`/v1/models?key=${world.key}`, { 'x-api-key': world.key }));
      await show(await get('/v1/models', { authorization: `Bearer ${world.key}`, cookie: `token=${world.key}` }));
      await show(await get('/metrics'));
      const { key: rotated } = await gateway.operator<{ key: string }>('POST', `/tokens/${world.token.id}/rotate`);
      await show(await chat({ ...world, key: rotated }, 'with the new key'));
      for (const password of [PASSWORD, 'wrong password of somebody'])
        seen.push(
          await (
            await fetch(`${gateway.address}/operator/v1/session`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ name: 'second', password }),
            })
          ).text(),
        );
      for (const noun of ['channels', 'tokens', 'requests', 'ledger', 'audit', 'operators'])
        seen.push(JSON.stringify(await gateway.operator('GET', `/${noun}?limit=200`)));
      for (const { id } of world.channels)
        seen.push(JSON.stringify(await gateway.operator('POST', `/channels/${id}/test`, { model: world.model })));

      const first = gateway.running.firstStart;
      const secrets = {
        token: world.key,
        'rotated token': rotated,
        'demo token': first?.demo?.key ?? '',
        'operator key': OPERATOR_KEY,
        'first password': first?.password ?? '',
        'other password': PASSWORD,
        'wrong password': 'wrong password of somebody',
        ...Object.fromEntries(UPSTREAM_KEYS.map((key) => [key, key])),
      };
      const outputs = { logs: gateway.logLines.join(''), answers: seen.join('\n'), database: await dump(gateway) };
      assert.ok(outputs.logs.length > 1_000 && outputs.database.includes(world.model));
      for (const [name, secret] of Object.entries(secrets)) {
        assert.ok(secret.length > 10, `${name} is not known`);
        for (const [output, text] of Object.entries(outputs))
          for (const form of forms(secret)) assert.ok(!text.includes(form), `the ${name} is in the ${output}`);
      }
      assert.ok(!outputs.logs.includes(HEADER), 'an extra header of a channel is in the logs');
      for (const line of gateway.logLines) assert.doesNotThrow(() => JSON.parse(line) as unknown, line);
    });
  });
}
