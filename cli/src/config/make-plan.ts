// From a file and a gateway to the list of changes between them.
import { chatUrlHint } from '#contract/alerts.ts';
import { CONFIG_KINDS, type ConfigKind } from '#contract/config-file.ts';
import { type ConfigChange, emptyResources, planConfig, type Resources } from '#contract/config-plan.ts';
import { maskAccessToken } from '../../../server/src/access/access-token.ts';
import { hintOf } from '../../../server/src/shared/sealed-headers.ts';
import { callOperator } from '../connection.ts';
import { textOf } from '../output.ts';
import { type Current, readCurrent, refuseAmbiguous, SECRET_IS_SET } from './read-current.ts';
import { type ReadConfig, readConfigFile } from './read-config-file.ts';
import { readReference, readSecret } from './read-secret.ts';

export interface Plan {
  config: ReadConfig;
  current: Current;
  changes: ConfigChange[];
}

interface Applied {
  data: { name: string; content: Partial<Resources> }[];
}

const MARKS = { create: '+', update: '~', remove: '-' } as const;

export async function makePlan(path: string, { prune }: { prune: boolean }): Promise<Plan> {
  const config = await readConfigFile(path);
  const wanted = hinted(config.given);
  const current = await readCurrent(wanted);
  refuseAmbiguous(wanted);
  const before = prune ? await readBefore(config.file.name) : undefined;
  return { config, current, changes: planConfig({ wanted, current: current.shown, before }) };
}

/** Secrets as the gateway shows them, which is all that can be compared. */
function hinted(given: Resources): Resources {
  const wanted = structuredClone(given);
  for (const channel of Object.values(wanted.channels)) {
    if (channel['keys'] !== undefined)
      channel['keys'] = (channel['keys'] as string[]).map((key) => hintOf(readSecret(key)));
    const headers = channel['headers'] as Record<string, string> | undefined;
    if (headers !== undefined)
      channel['headers'] = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, hintOf(readSecret(value))]),
      );
  }
  for (const token of Object.values(wanted.tokens)) {
    if (typeof token['key'] === 'string') token['key'] = maskAccessToken(readSecret(token['key']));
  }
  for (const sink of Object.values(wanted.alert_sinks)) {
    if (typeof sink['url'] === 'string') {
      const url = readReference(sink['url']);
      sink['url'] = sink['kind'] === 'webhook' ? url : chatUrlHint(url);
    }
    if (typeof sink['secret'] === 'string') sink['secret'] = SECRET_IS_SET;
  }
  return wanted;
}

async function readBefore(name: string): Promise<Resources> {
  const { data } = await callOperator<Applied>('/config-files');
  return { ...emptyResources(), ...data.find((one) => one.name === name)?.content };
}

export function describePlan(changes: readonly ConfigChange[]): string {
  const lines = changes.map(({ kind, name, action, fields }) => {
    const details = Object.entries(fields).map(
      ([field, { from, to }]) => `\n    ${field}: ${textOf(from)} -> ${textOf(to)}`,
    );
    return `${MARKS[action]} ${one(kind)} ${textOf(name)}${details.join('')}\n`;
  });
  const count = (action: ConfigChange['action']): number => changes.filter((change) => change.action === action).length;
  return `${lines.join('')}${count('create')} to create, ${count('update')} to change, ${count('remove')} to remove.\n`;
}

function one(kind: ConfigKind): string {
  return kind.slice(0, -1).padEnd(Math.max(...CONFIG_KINDS.map((name) => name.length)) - 1);
}
