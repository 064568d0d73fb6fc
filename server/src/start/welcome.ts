// What a start prints for people: where things are, and on the first start everything needed for the first call.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { ConfigError } from './settings/config-error.ts';
import type { Gateway } from '../gateway.ts';

const FILE = 'first-start.txt';

type Started = Pick<Gateway, 'address' | 'firstStart'>;

/** What is printed. Secrets of a first start go into a file of the data folder instead where the setting says so. */
export function welcomeOrFile(
  gateway: Started,
  config: Pick<Config, 'dataFolder' | 'databaseUrl' | 'firstStart'>,
): string {
  if (gateway.firstStart === undefined || config.firstStart === 'print') return welcome(gateway, config);
  const file = join(config.dataFolder, FILE);
  try {
    mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 });
    writeFileSync(file, '', { mode: 0o600 });
    chmodSync(file, 0o600); // one that was there keeps its mode
    writeFileSync(file, welcome(gateway, config));
  } catch (error) {
    throw new ConfigError(
      `TOLLGATE_FIRST_START is "file", and ${file} cannot be written: ${(error as Error).message}.`,
    );
  }
  const later = welcome({ ...gateway, firstStart: undefined }, config).trimEnd();
  return `${later}\n  Sign-in    see ${file}, and remove it when you have read it\n\n`;
}

export function welcome(gateway: Started, config: Pick<Config, 'dataFolder' | 'databaseUrl'>): string {
  const { address, firstStart } = gateway;
  const lines = [
    '',
    `  Tollgate is ready at ${address}`,
    '',
    `  Console    ${address}/console`,
    `  API docs   ${address}/docs`,
  ];
  if (firstStart === undefined) return `${lines.join('\n')}\n\n`;
  const { operatorName, password, demo } = firstStart;
  lines.push(`  Operator   ${operatorName}`);
  lines.push(
    `  Password   ${password ?? '(the one in TOLLGATE_OPERATOR_PASSWORD)'}${password === null ? '' : '   shown only now: keep it'}`,
  );
  lines.push(`  Data       ${config.databaseUrl === undefined ? config.dataFolder : 'PostgreSQL (DATABASE_URL)'}`);
  if (demo === null) {
    lines.push(
      '',
      '  The sandbox is off: add a channel, a model with a price and a token through the operator API (see API docs).',
    );
  } else {
    lines.push(`  Demo token ${demo.key}`, '', '  Try it:', '', `  ${curl(address, demo)}`);
  }
  return `${lines.join('\n')}\n\n`;
}

/** Behind the text of the first worker. */
export function welcomeOfWorkers(workers: number, pid: number): string {
  return `  ${workers} workers; "kill -HUP ${pid}" changes them one by one, without a break.\n\n`;
}

function curl(address: string, demo: { key: string; model: string }): string {
  const body = JSON.stringify({ model: demo.model, messages: [{ role: 'user', content: 'Hello!' }] });
  return `curl ${address}/v1/chat/completions -H 'Authorization: Bearer ${demo.key}' -H 'Content-Type: application/json' -d '${body}'`;
}
