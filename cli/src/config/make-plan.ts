// From a file and a gateway to the list of changes between them.
import { chatUrlHint } from '#contract/alerts.ts';
import { CONFIG_KINDS, type ConfigDrift, type ConfigKind } from '#contract/config-file.ts';
import { type ConfigChange, emptyResources, planConfig, type Resources } from '#contract/config-plan.ts';
import { maskAccessToken } from '../../../server/src/access/access-token.ts';
import { hintOf } from '../../../server/src/shared/sealed-headers.ts';
import { callOperator } from '../connection.ts';
import { textOf, timeText } from '../output.ts';
import { Refused } from '../refused.ts';
import { type Current, readCurrent, refuseAmbiguous, SECRET_IS_SET } from './read-current.ts';
import { type ReadConfig, readConfigFile } from './read-config-file.ts';
import { readReference, readSecret } from './read-secret.ts';

export interface Plan {
  config: ReadConfig;
  current: Current;
  changes: PlannedChange[];
}

interface Applied {
  data: { name: string; content: Partial<Resources>; drift: ConfigDrift[] }[];
}

/** A change that undoes what somebody did since the file was applied. */
export interface PlannedChange extends ConfigChange {
  drift?: Pick<ConfigDrift, 'action' | 'changed_by' | 'changed_at'>;
}

const MARKS = { create: '+', update: '~', remove: '-' } as const;

export async function makePlan(path: string, { prune }: { prune: boolean }): Promise<Plan> {
  const config = await readConfigFile(path);
  await checkProviders(config);
  const wanted = hinted(config);
  const current = await readCurrent(wanted);
  refuseAmbiguous(wanted);
  checkAccounts(config, current);
  const { data } = await callOperator<Applied>('/config-files');
  const applied = data.find(({ name }) => name === config.file.name);
  const before = prune ? { ...emptyResources(), ...applied?.content } : undefined;
  const changes = planConfig({ wanted, current: current.shown, before });
  return { config, current, changes: changes.map((change) => withDrift(change, applied?.drift ?? [])) };
}

/** Which kinds there are only the gateway knows. */
async function checkProviders({ given, placeOf }: ReadConfig): Promise<void> {
  const wanted = Object.entries(given.channels).filter(([, { provider }]) => provider !== undefined);
  if (wanted.length === 0) return;
  const { data } = await callOperator<{ data: { name: string }[] }>('/providers');
  const known = data.map(({ name }) => name);
  for (const [name, { provider }] of wanted) {
    if (!known.includes(String(provider)))
      throw new Refused(`${placeOf(['channels', name, 'provider'])} must be one of ${known.join(', ')}.`);
  }
}

/** Accounts that tokens and flags name: in the file, or there already. */
function checkAccounts({ given, placeOf }: ReadConfig, { rows }: Current): void {
  const refuse = (field: readonly unknown[], name: unknown): void => {
    if (given.accounts[String(name)] === undefined && rows.accounts[String(name)] === undefined)
      throw new Refused(`${placeOf(field)}: there is no account "${String(name)}", here or in the gateway.`);
  };
  for (const [name, { account }] of Object.entries(given.tokens))
    if (account !== undefined) refuse(['tokens', name, 'account'], account);
  for (const [name, { accounts }] of Object.entries(given.flags))
    for (const [at, account] of ((accounts ?? []) as unknown[]).entries())
      refuse(['flags', name, 'accounts', at], account);
}

function withDrift(change: ConfigChange, drift: readonly ConfigDrift[]): PlannedChange {
  const found = drift.find(({ kind, name }) => kind === change.kind && name === change.name);
  if (found === undefined) return change;
  const { action, changed_by, changed_at } = found;
  return { ...change, drift: { action, changed_by, changed_at } };
}

/** Secrets as the gateway shows them, which is all that can be compared. */
function hinted({ given, placeOf }: ReadConfig): Resources {
  const wanted = structuredClone(given);
  const read = (reader: typeof readSecret, text: string, field: readonly unknown[]): string => {
    try {
      return reader(text);
    } catch (error) {
      throw new Refused(`${placeOf(field)}: ${(error as Error).message}`);
    }
  };
  for (const [name, channel] of Object.entries(wanted.channels)) {
    const field = ['channels', name];
    if (channel['keys'] !== undefined)
      channel['keys'] = (channel['keys'] as string[]).map((key, at) =>
        hintOf(read(readSecret, key, [...field, 'keys', at])),
      );
    const headers = channel['headers'] as Record<string, string> | undefined;
    if (headers !== undefined)
      channel['headers'] = Object.fromEntries(
        Object.entries(headers).map(([header, value]) => [
          header,
          hintOf(read(readSecret, value, [...field, 'headers', header])),
        ]),
      );
  }
  for (const [name, token] of Object.entries(wanted.tokens)) {
    if (typeof token['key'] === 'string')
      token['key'] = maskAccessToken(read(readSecret, token['key'], ['tokens', name, 'key']));
  }
  for (const [name, sink] of Object.entries(wanted.alert_sinks)) {
    if (typeof sink['url'] === 'string') {
      const url = read(readReference, sink['url'], ['alert_sinks', name, 'url']);
      sink['url'] = sink['kind'] === 'webhook' ? url : chatUrlHint(url);
    }
    if (typeof sink['secret'] === 'string') sink['secret'] = SECRET_IS_SET;
  }
  return wanted;
}

export function describePlan(changes: readonly PlannedChange[]): string {
  const lines = changes.map(({ kind, name, action, fields, drift }) => {
    const details = Object.entries(fields).map(
      ([field, { from, to }]) => `\n    ${field}: ${textOf(from)} -> ${textOf(to)}`,
    );
    return `${MARKS[action]} ${one(kind)} ${textOf(name)}${drift === undefined ? '' : describeDrift(drift)}${details.join('')}\n`;
  });
  const count = (action: ConfigChange['action']): number => changes.filter((change) => change.action === action).length;
  return `${lines.join('')}${count('create')} to create, ${count('update')} to change, ${count('remove')} to remove.\n`;
}

function describeDrift({ action, changed_by, changed_at }: NonNullable<PlannedChange['drift']>): string {
  const author = changed_by === null ? '' : ` by ${textOf(changed_by)} at ${timeText(changed_at)}`;
  return `   (drift: ${action}${author})`;
}

function one(kind: ConfigKind): string {
  return kind.slice(0, -1).padEnd(Math.max(...CONFIG_KINDS.map((name) => name.length)) - 1);
}
