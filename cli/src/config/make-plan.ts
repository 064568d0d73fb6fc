// From a file and a gateway to the list of changes between them.
import { chatUrlHint } from '#contract/alerts.ts';
import { CONFIG_KINDS, type ConfigDrift, type ConfigKind } from '#contract/config-file.ts';
import { type ConfigChange, planConfig, type Resources } from '#contract/config-plan.ts';
import { maskAccessToken } from '../../../server/src/access/access-token.ts';
import { hintOf } from '../../../server/src/shared/sealed-headers.ts';
import { callOperator } from '../connection.ts';
import { textOf, timeText } from '../output.ts';
import { Refused } from '../refused.ts';
import { type Applied, leftOf, madeBefore } from './made-before.ts';
import { type Current, isAmbiguous, readCurrent, SECRET_IS_SET } from './read-current.ts';
import { type ReadConfig, readConfigFile } from './read-config-file.ts';
import { readReference, readSecret } from './read-secret.ts';

export interface Plan {
  config: ReadConfig;
  current: Current;
  changes: PlannedChange[];
  /** What --prune would remove if it could be removed. */
  stays: ConfigChange[];
  /** What the file made, no longer names and keeps as its own, because nothing removes it now. */
  left: Partial<Resources>;
}

/** A change that undoes what somebody did since the file was applied. */
export interface PlannedChange extends ConfigChange {
  drift?: Pick<ConfigDrift, 'action' | 'changed_by' | 'changed_at'>;
}

const MARKS = { create: '+', update: '~', remove: '-', reset: '~', stay: '=' } as const;

export async function makePlan(path: string, { prune }: { prune: boolean }): Promise<Plan> {
  const config = await readConfigFile(path);
  await checkProviders(config);
  const wanted = hinted(config);
  const { data: all } = await callOperator<{ data: Applied[] }>('/config-files');
  const made = madeBefore(config, all);
  const current = await readCurrent({ ...wanted, tokens: { ...made.tokens, ...wanted.tokens } });
  checkNames(config, current);
  if (prune) checkRemovals(config, { made, current });
  const planned = planConfig({ wanted, current: current.shown, before: prune ? made : undefined });
  const drift = all.find(({ name }) => name === config.file.name)?.drift ?? [];
  return {
    config,
    current,
    changes: planned.filter(({ action }) => action !== 'stay').map((change) => withDrift(change, drift)),
    stays: planned.filter(({ action }) => action === 'stay'),
    left: prune ? {} : leftOf(config, { made, current, all }),
  };
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

/** A name that several have does not say which one is meant; accounts that tokens and flags name must be there. */
function checkNames({ given, placeOf }: ReadConfig, current: Current): void {
  for (const kind of CONFIG_KINDS)
    for (const name of Object.keys(given[kind]))
      if (isAmbiguous(current, kind, name)) refuseTwice(placeOf([kind, name]), kind, name);
  const check = (field: readonly unknown[], account: unknown): void => {
    const name = String(account);
    if (isAmbiguous(current, 'accounts', name)) refuseTwice(placeOf(field), 'accounts', name);
    if (given.accounts[name] === undefined && current.rows.accounts[name] === undefined)
      throw new Refused(`${placeOf(field)}: there is no account "${name}", here or in the gateway.`);
  };
  for (const [name, { account }] of Object.entries(given.tokens))
    if (account !== undefined) check(['tokens', name, 'account'], account);
  for (const [name, { accounts }] of Object.entries(given.flags))
    for (const [at, account] of ((accounts ?? []) as unknown[]).entries())
      check(['flags', name, 'accounts', at], account);
}

function refuseTwice(where: string, kind: ConfigKind, name: string): never {
  throw new Refused(`${where}: several ${kind} are named "${name}". Rename all but one before the file can name it.`);
}

/** Nothing is removed by a name that others have as well. */
function checkRemovals({ given }: ReadConfig, { made, current }: { made: Resources; current: Current }): void {
  const refuse = (kind: ConfigKind, name: string, what: string): void => {
    if (isAmbiguous(current, kind, name))
      throw new Refused(
        `several ${kind} are named "${name}": --prune cannot tell ${what} the file made. Rename all but that one, or leave out --prune.`,
      );
  };
  for (const [name, { account }] of Object.entries(made.tokens))
    if (given.tokens[name] === undefined) refuse('accounts', String(account), `whose token "${name}"`);
  for (const kind of ['accounts', 'tokens'] as const)
    for (const name of Object.keys(made[kind]))
      if (given[kind][name] === undefined) refuse(kind, name, 'which of them');
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

export function describePlan({ changes, stays }: Pick<Plan, 'changes' | 'stays'>): string {
  const lines = changes.map(({ kind, name, action, fields, drift }) => {
    const details = Object.entries(fields).map(
      ([field, { from, to }]) => `\n    ${field}: ${textOf(from)} -> ${textOf(to)}`,
    );
    const note = `${afterwards(kind, action)}${drift === undefined ? '' : describeDrift(drift)}`;
    return `${MARKS[action]} ${one(kind)} ${textOf(name)}${note}${details.join('')}\n`;
  });
  const kept = stays.map(
    ({ kind, name, action }) => `${MARKS[action]} ${one(kind)} ${textOf(name)}   (stays: groups cannot be removed)\n`,
  );
  const count = (action: ConfigChange['action']): number => changes.filter((change) => change.action === action).length;
  const resets = count('reset') === 0 ? '' : `, ${count('reset')} to reset`;
  return `${[...lines, ...kept].join('')}${count('create')} to create, ${count('update')} to change, ${count('remove')} to remove${resets}.\n`;
}

/** What comes of a change that its mark does not say. */
function afterwards(kind: ConfigKind, action: ConfigChange['action']): string {
  if (action === 'reset') return '   (reset to its defaults)';
  return action === 'remove' && kind === 'accounts' ? '   (disabled: its books stay)' : '';
}

function describeDrift({ action, changed_by, changed_at }: NonNullable<PlannedChange['drift']>): string {
  const author = changed_by === null ? '' : ` by ${textOf(changed_by)} at ${timeText(changed_at)}`;
  return `   (drift: ${action}${author})`;
}

function one(kind: ConfigKind): string {
  return kind.slice(0, -1).padEnd(Math.max(...CONFIG_KINDS.map((name) => name.length)) - 1);
}
