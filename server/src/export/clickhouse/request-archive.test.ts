import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestArchive } from './request-archive.ts';

const NOW = 1_900_000_000;
const DAY = 86_400;
const LINE =
  `{"id":"req_1","account_id":null,"token_id":null,"group":"default","endpoint":"/v1/x","model":"m","channel_id":null,
"status":200,"error_code":null,"reason":null,"attempts":"[]","first_byte_ms":null,"total_ms":3,"usage":null,
"usage_source":null,"charge":"1.000000001","arithmetic":null,"mode":"live","created_at":1800000000}`.replaceAll(
    '\n',
    '',
  );

function open(answer: string | Error = `${LINE}\n`) {
  const statements: string[] = [];
  const errors: unknown[] = [];
  const run = (statement: string): Promise<string> => {
    statements.push(statement);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const onError = (error: unknown): void => void errors.push(error);
  const archive = new RequestArchive({ client: { run }, days: 90, now: () => NOW, onError });
  return { archive, statements, errors };
}

test('a line that has left the store is found as it was there, to the nano-unit (contract-2 12)', async () => {
  const { archive, statements } = open();
  const row = await archive.find('req_1');
  assert.deepEqual(
    [row?.charge, row?.group_name, row?.account_id, row?.created_at],
    [1_000_000_001n, 'default', '', 1_800_000_000],
  );
  assert.match(statements[0] ?? '', /FROM tollgate_requests FINAL WHERE id = 'req_1' ORDER BY id DESC LIMIT 1 /);
});

test('what a filter says stays a text of the statement, whatever is in it (promise A-14)', async () => {
  const { archive, statements } = open();
  await archive.list({ model: `a' OR 1 = 1 --\\`, errorCode: `x'*`, after: 'req_9', least: 400, limit: 5 });
  const [statement = ''] = statements;
  assert.ok(statement.includes(String.raw`model = 'a\' OR 1 = 1 --\\'`));
  assert.ok(statement.includes(String.raw`position(assumeNotNull(error_code), 'x\'') = 1`));
  assert.match(statement, /status >= 400 AND 1 = 1 AND id < 'req_9' AND .* ORDER BY id DESC LIMIT 5\)/);
});

test('lines of batches are asked for beside those of requests, and come in the order of the log (contract-2 8)', async () => {
  const lines = ['batch_2/x', 'req_1', 'req_3'].map((id) => LINE.replace('req_1', id));
  const { archive, statements } = open(`${lines.join('\n')}\n`);
  const rows = await archive.list({ after: 'req_9', limit: 2 });
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['req_3', 'batch_2/x'],
  );
  assert.ok(statements[0]?.includes("id >= 'batch_' AND id < 'batch`' AND id < 'batch_9'"), statements[0]);
});

test('a range that the store keeps, and filters that only the store knows, are not looked for elsewhere', async () => {
  const { archive, statements } = open();
  assert.deepEqual(await archive.list({ from: NOW - 90 * DAY, limit: 5 }), []);
  assert.deepEqual(await archive.list({ provider: 'openai', limit: 5 }), []);
  assert.deepEqual(statements, []);
  assert.equal((await archive.list({ from: NOW - 90 * DAY - 1, limit: 5 })).length, 1);
});

test('a ClickHouse that is away leaves the answer of the store as it is', async () => {
  const { archive, errors } = open(new Error('away'));
  assert.deepEqual(await archive.list({ limit: 5 }), []);
  assert.equal(await archive.find('req_1'), undefined);
  assert.equal(errors.length, 2);
});
