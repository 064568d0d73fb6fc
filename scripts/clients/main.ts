// `npm run clients`: installs the pinned clients in a scratch folder and drives each against a fresh gateway with the sandbox.
// --only NAME,NAME   those whose names hold one of the words
// --scratch FOLDER   keeps what is installed there for the next run; else a temporary folder, removed at the end
// --write            writes docs/clients.md
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startGateway } from '../../server/src/gateway.ts';
import { readConfig } from '../../server/src/start/config.ts';
import { makeLogger } from '../../server/src/telemetry/logger.ts';
import { agents, type Gateway } from './agents.ts';
import { clients } from './clients.ts';
import { type Driven, driveAgent, driveClient } from './drive.ts';
import { installJavaScript, installPython } from './install.ts';
import { type Row, writePage } from './write-page.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, scratch: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const words = values.only?.toLowerCase().split(',') ?? [''];
const isWanted = ({ name }: { name: string }): boolean => words.some((word) => name.toLowerCase().includes(word));
const scratch =
  values.scratch === undefined ? mkdtempSync(join(tmpdir(), 'tollgate-clients-')) : resolve(values.scratch);
mkdirSync(scratch, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'tollgate-clients-data-'));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

interface Wanted {
  name: string;
  page: string;
  language: string;
  environment: string | undefined;
  drive(gateway: Gateway): Promise<Driven>;
}

const wanted: Wanted[] = [
  ...clients.filter(isWanted).map((client) => ({
    ...client,
    environment: client.environment,
    drive: (gateway: Gateway) => driveClient(client, gateway, scratch),
  })),
  ...agents.filter(isWanted).map((agent) => ({
    ...agent,
    language: 'agent',
    environment: agent.environment,
    drive: (gateway: Gateway) => driveAgent(agent, gateway, scratch),
  })),
];

const problems = new Map<string | undefined, string | undefined>();
for (const { environment } of wanted) {
  if (problems.has(environment)) continue;
  say(`installing ${environment ?? 'package.json'}`);
  const install = environment === undefined ? installJavaScript(scratch) : installPython(scratch, environment);
  problems.set(environment, await install);
}

const settings = { PORT: '0', TOLLGATE_DATA_DIR: data, LOG_LEVEL: 'silent' };
const running = await startGateway(readConfig(settings), makeLogger('silent').logger);
const gateway = { url: running.address, token: running.firstStart?.demo?.key ?? '' };
const rows: Row[] = [];
let red = 0;
try {
  for (const { name, page, language, environment, drive } of wanted) {
    const problem = problems.get(environment);
    const driven =
      problem === undefined
        ? await drive(gateway)
        : { version: '', reports: [{ check: 'prompt', result: 'no' as const, note: `not installed: ${problem}` }] };
    rows.push({ name, page, language, driven });
    say(`${name} (${language}) ${driven.version}`);
    for (const { check, result, note } of driven.reports) {
      say(`  ${check}: ${result}${note === '' ? '' : `  ${note}`}`);
      if (result === 'no') red++;
    }
  }
} finally {
  await running.stop();
  rmSync(data, { recursive: true, force: true });
  if (values.scratch === undefined) rmSync(scratch, { recursive: true, force: true });
}
if (values.write) writeFileSync('docs/clients.md', writePage(rows));
say(red === 0 ? 'no red cell' : `${red} red cells`);
process.exitCode = red === 0 ? 0 : 1;
