// How what is there differs from a configuration file that was applied. Secrets are not compared: the file only names them.
import { type AppliedConfig, CONFIG_KINDS, type ConfigDrift, type ConfigKind } from '#contract/config-file.ts';
import { emptyResources, planConfig, type Resources } from '#contract/config-plan.ts';
import { findSinkByName } from '../../store/queries/alert-sinks.ts';
import { findAccount, findAccountByName } from '../../store/queries/accounts.ts';
import { type AppliedConfigRow, listAppliedConfigs } from '../../store/queries/applied-configs.ts';
import { lastChange } from '../../store/queries/audit.ts';
import { findChannelByName, listChannelKeys } from '../../store/queries/channels.ts';
import { findFlag } from '../../store/queries/flags.ts';
import { findModel } from '../../store/queries/models.ts';
import { findToken, findTokenByName } from '../../store/queries/tokens.ts';
import type { Reads } from '../../store/store.ts';
import { writeAccount } from './accounts.ts';
import { writeSinkSettings } from './alert-sinks.ts';
import { listRules } from './alerts.ts';
import { writeChannel } from './channels.ts';
import { writeFlag } from './flags.ts';
import { allGroups } from './groups.ts';
import { writeModel } from './models.ts';
import { writeToken } from './tokens.ts';

type Entries = Record<string, Record<string, unknown>>;

export async function readAppliedConfigs(reads: Reads): Promise<AppliedConfig[]> {
  const configs = await listAppliedConfigs(reads);
  return Promise.all(
    configs.map(async ({ ids, ...config }) => ({ ...config, drift: await driftOf(reads, { ids, ...config }) })),
  );
}

/** Of everything that a file names, as it is called in the audit log. */
export async function idsOf(
  reads: Reads,
  content: Record<string, unknown>,
): Promise<Record<string, Record<string, string>>> {
  const wanted = comparedOf(content);
  const current = await currentOf(reads, wanted, { content });
  return Object.fromEntries(
    CONFIG_KINDS.map((kind) => [
      kind,
      Object.fromEntries(Object.keys(wanted[kind]).map((name) => [name, idOf(current, kind, name) ?? name])),
    ]),
  );
}

async function driftOf(reads: Reads, { content, ids, applied_at }: AppliedConfigRow): Promise<ConfigDrift[]> {
  const wanted = comparedOf(content);
  const current = await currentOf(reads, wanted, { content, ids });
  return Promise.all(
    planConfig({ wanted, current }).map(async ({ kind, name, action, fields }) => {
      const id = idOf(current, kind, name);
      const known = id ?? ids?.[kind]?.[name];
      const resource = kind.slice(0, -1);
      const last = known === undefined ? undefined : await lastChange(reads, { resource, id: known, from: applied_at });
      return {
        kind,
        name,
        action: action === 'create' ? 'removed' : 'changed',
        fields: Object.keys(fields),
        id: id ?? null,
        changed_by: last?.operator ?? null,
        changed_at: last?.created_at ?? null,
      };
    }),
  );
}

/** Models, groups, flags and rules are known by their names. */
function idOf(current: Resources, kind: ConfigKind, name: string): string | undefined {
  const found = current[kind][name];
  if (found === undefined) return undefined;
  return typeof found['id'] === 'string' ? found['id'] : name;
}

function comparedOf(content: Record<string, unknown>): Resources {
  const wanted = emptyResources();
  for (const kind of CONFIG_KINDS) {
    for (const [name, fields] of Object.entries((content[kind] ?? {}) as Entries)) {
      const { keys: _keys, headers: _headers, key: _key, account: _account, ...compared } = fields;
      if (kind === 'alert_sinks') for (const secret of ['url', 'secret']) delete compared[secret];
      if (kind === 'flags') delete compared['accounts']; // named, not by id
      wanted[kind][name] = compared;
    }
  }
  return wanted;
}

/** Only what the file names is read. Where others have the same name by now, it is the one that the file made. */
async function currentOf(
  reads: Reads,
  wanted: Resources,
  { content, ids = {} }: Pick<AppliedConfigRow, 'content' | 'ids'>,
): Promise<Resources> {
  const current = emptyResources();
  for (const group of await allGroups(reads)) current.groups[group.name] = group;
  const read = async (kind: keyof Resources, find: (name: string) => Promise<object | undefined>): Promise<void> => {
    for (const name of Object.keys(wanted[kind])) {
      const found = await find(name);
      if (found !== undefined) current[kind][name] = found as Record<string, unknown>;
    }
  };
  await read('models', async (id) => written(await findModel(reads, id), writeModel));
  await read('flags', async (name) => written(await findFlag(reads, name), writeFlag));
  const accountOf = async (name: string) =>
    (await known(ids['accounts']?.[name], name, (id) => findAccount(reads, id))) ?? findAccountByName(reads, name);
  await read('accounts', async (name) => written(await accountOf(name), writeAccount));
  await read('alert_rules', async (name) => (await listRules(reads)).find(({ rule }) => rule === name));
  await read('alert_sinks', async (name) => written(await findSinkByName(reads, name), writeSinkSettings));
  await read('channels', async (name) => {
    const row = await findChannelByName(reads, name);
    return row === undefined ? undefined : writeChannel(row, await listChannelKeys(reads, [row.id]));
  });
  await read('tokens', async (name) => {
    const made = await known(ids['tokens']?.[name], name, (id) => findToken(reads, id));
    if (made !== undefined) return writeToken(made);
    const { account } = ((content['tokens'] as Entries | undefined)?.[name] ?? {}) as { account?: string };
    const owner = account === undefined ? undefined : await accountOf(account);
    return owner === undefined ? undefined : written(await findTokenByName(reads, owner.id, name), writeToken);
  });
  return current;
}

/** A new name is another thing to a file. */
async function known<Row extends { name: string }>(
  id: string | undefined,
  name: string,
  find: (id: string) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const row = id === undefined ? undefined : await find(id);
  return row?.name === name ? row : undefined;
}

function written<Row, Shown>(row: Row | undefined, write: (row: Row) => Shown): Shown | undefined {
  return row === undefined ? undefined : write(row);
}
