// Runs a driver or an agent against the gateway and reads what it reports.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent, Gateway } from './agents.ts';
import type { Client } from './clients.ts';
import { environmentFolder, javascriptFolder } from './install.ts';

export interface Report {
  check: string;
  result: 'works' | 'loss' | 'no';
  note: string;
}

export interface Driven {
  version: string;
  reports: Report[];
}

const DRIVER_MS = 5 * 60_000;
const MOST_OUTPUT = 4_000_000;

export async function driveClient(client: Client, gateway: Gateway, scratch: string): Promise<Driven> {
  const [file = '', ...rest] = client.driver;
  const home = join(scratch, 'home');
  const env = {
    TOLLGATE_URL: gateway.url,
    TOLLGATE_TOKEN: gateway.token,
    LLM_USER_PATH: join(home, 'llm'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const [program, script, cwd] =
    client.environment === undefined
      ? [process.execPath, file, javascriptFolder(scratch)]
      : [
          join(environmentFolder(scratch, client.environment), 'bin', 'python'),
          join(import.meta.dirname, 'python', file),
          scratch,
        ];
  const { printed, code } = await run({ program, words: [script, ...rest], cwd, home, env });
  const lines = printed.split('\n').flatMap(readLine);
  const version = lines.find((line) => 'version' in line);
  const reports = lines.filter((line): line is Report => 'check' in line);
  if (code !== 0) reports.push({ check: 'prompt', result: 'no', note: printed.trim().split('\n').at(-1) ?? '' });
  return { version: version !== undefined && 'version' in version ? version.version : '', reports };
}

export async function driveAgent(agent: Agent, gateway: Gateway, scratch: string): Promise<Driven> {
  const home = join(scratch, 'agents', agent.name.replaceAll(/\W+/g, '-'));
  rmSync(home, { recursive: true, force: true });
  mkdirSync(join(home, 'work'), { recursive: true });
  for (const [name, text] of Object.entries(agent.files(gateway))) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const [name = '', ...words] = agent.command;
  const folder =
    agent.environment === undefined
      ? join(javascriptFolder(scratch), 'node_modules', '.bin')
      : join(environmentFolder(scratch, agent.environment), 'bin');
  const { printed } = await run({
    program: join(folder, name),
    words,
    cwd: join(home, 'work'),
    home,
    env: agent.env(gateway),
  });
  const isDone = agent.proof.test(printed);
  const result = isDone ? (agent.loss === undefined ? 'works' : 'loss') : 'no';
  const note = isDone ? (agent.loss ?? '') : printed.trim().slice(-300);
  return { version: versionOf(agent, scratch), reports: [{ check: 'tool loop', result, note }] };
}

function versionOf({ package: name, environment }: Agent, scratch: string): string {
  if (environment !== undefined)
    return (
      readFileSync(join(import.meta.dirname, environment), 'utf8')
        .split('==')[1]
        ?.trim() ?? ''
    );
  const file = join(javascriptFolder(scratch), 'node_modules', name, 'package.json');
  if (!existsSync(file)) return '';
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

interface Run {
  program: string;
  words: readonly string[];
  cwd: string;
  home: string;
  env: Record<string, string>;
}

/** In a home folder of its own, without any key of the person who runs it. */
function run({ program, words, cwd, home, env }: Run): Promise<{ printed: string; code: number | null }> {
  mkdirSync(home, { recursive: true });
  const { PATH = '', LANG = 'C.UTF-8' } = process.env;
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd,
      env: { PATH, LANG, HOME: home, NO_COLOR: '1', CI: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: DRIVER_MS,
    });
    let printed = '';
    const add = (bytes: Buffer): void => {
      if (printed.length < MOST_OUTPUT) printed += bytes.toString();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.once('error', (error) => resolve({ printed: error.message, code: 1 }));
    child.once('close', (code) => resolve({ printed, code }));
  });
}

function readLine(line: string): (Report | { version: string })[] {
  if (!line.startsWith('{')) return [];
  try {
    return [JSON.parse(line) as Report | { version: string }];
  } catch {
    return [];
  }
}
