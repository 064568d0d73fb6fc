// Clients that generators make of /openapi.json, in TypeScript and in Python: they are type-checked, and they get answers
// (issue 30, item 7).
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { makeWorld, suiteGateway } from '../support/world.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
const gateway = await suiteGateway();
const document = join(folder, 'openapi.json');

before(async () => {
  writeFileSync(document, await (await fetch(`${gateway.address}/openapi.json`)).text());
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** What an application would write: every line that must not compile says so. */
const USE = `
import { createChatCompletion, createMessage, defaults, listModels } from './client.ts';
const [, , address = '', key = '', model = ''] = process.argv;
defaults.baseUrl = address;
defaults.headers = { authorization: \`Bearer \${key}\` };
const chat = await createChatCompletion({ model, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 50 }, {});
if (chat.status !== 200) throw new Error(JSON.stringify(chat.data));
const text: string | null = chat.data.choices[0]?.message.content ?? null;
const tokens: number | undefined = chat.data.usage?.total_tokens;
const asked = { model, messages: [{ role: 'user' as const, content: 'Say hello.' }], max_tokens: 50 };
const message = await createMessage('2023-06-01', asked, {});
if (message.status !== 200) throw new Error(JSON.stringify(message.data));
const stopped: string | null = message.data.stop_reason;
const refused = await createChatCompletion({ model: 'no-such-model', messages: [{ role: 'user', content: 'x' }] }, {});
const why = refused.status === 404 ? refused.data.error.code : 'answered';
const models = await listModels();
const listed = models.status === 200 && models.data.data.some(({ id }) => id === model);
process.stdout.write(JSON.stringify({ text, tokens, stopped, why, listed }));
export function neverCalled() {
  // @ts-expect-error a number is wanted
  void createChatCompletion({ model, max_tokens: 'many' }, {});
  // @ts-expect-error the model is required
  void createChatCompletion({ messages: [] }, {});
  // @ts-expect-error no such version
  void createMessage('1999-01-01', asked, {});
}
`;

test('a TypeScript client made by oazapfts is type-checked and gets answers', async (t) => {
  const world = await makeWorld(gateway, t);
  await run(process.execPath, [join(root, 'node_modules/oazapfts/dist/cli.js'), document, join(folder, 'client.ts')]);
  writeFileSync(join(folder, 'use.ts'), USE);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const flags =
    '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --module nodenext --target es2024 --types node';
  const typed = await run(join(root, 'node_modules/.bin/tsc'), [...flags.split(' '), 'use.ts'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(typed.stdout, '');
  const { stdout } = await run(process.execPath, ['use.ts', gateway.address, world.key, world.model], { cwd: folder });
  const printed = JSON.parse(stdout) as { text: string; tokens: number };
  assert.ok(printed.text.length > 0 && printed.tokens > 0);
  assert.deepEqual(
    { ...printed, text: '', tokens: 0 },
    { text: '', tokens: 0, stopped: 'end_turn', why: 'model_not_found', listed: true },
  );
});

/** Of the package openapi-python-client, wherever it is installed. */
const generator = [
  process.env['TEST_OPENAPI_PYTHON_CLIENT'] ?? '',
  ...(process.env['PATH'] ?? '').split(delimiter).map((path) => join(path, 'openapi-python-client')),
].find((path) => path !== '' && existsSync(path));
const skip = generator === undefined && 'openapi-python-client is not installed (pip install openapi-python-client)';

const USE_PYTHON = `
import json, sys
from made import AuthenticatedClient
from made.api.public_api import create_chat_completion, list_models
from made.models import CreateChatCompletionBody, ErrorAnswer
_, address, key, model = sys.argv
client = AuthenticatedClient(base_url=address, token=key)
ask = lambda name: create_chat_completion.sync(client=client, body=CreateChatCompletionBody.from_dict(
    {"model": name, "messages": [{"role": "user", "content": "Say hello."}], "max_tokens": 50}))
chat = ask(model)
refused = ask("no-such-model")
assert isinstance(refused, ErrorAnswer)
listed = any(one.id == model for one in list_models.sync(client=client).data)
print(json.dumps({"text": chat.choices[0].message.content, "why": refused.error.code, "listed": listed}))
`;

test('a Python client made by openapi-python-client has every public call and gets answers', { skip }, async (t) => {
  const world = await makeWorld(gateway, t);
  const python = join(dirname(generator ?? ''), 'python3');
  const made = join(folder, 'made');
  const { stdout: notes } = await run(generator ?? '', [
    'generate',
    '--path',
    document,
    '--output-path',
    made,
    '--meta',
    'none',
  ]);
  assert.doesNotMatch(notes, /ERROR|Endpoint will not be generated/);
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as {
    paths: Record<string, Record<string, { tags: string[] }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const calls = readdirSync(join(made, 'api/public_api')).filter((file) => /^[a-z]\w*\.py$/.test(file));
  assert.equal(calls.length, operations.filter(({ tags }) => tags.includes('Public API')).length);
  await run(python, ['-m', 'compileall', '-q', made]);
  writeFileSync(join(folder, 'use.py'), USE_PYTHON);
  const { stdout } = await run(python, ['use.py', gateway.address, world.key, world.model], { cwd: folder });
  const printed = JSON.parse(stdout) as { text: string };
  assert.ok(printed.text.length > 0);
  assert.deepEqual({ ...printed, text: '' }, { text: '', why: 'model_not_found', listed: true });
});
