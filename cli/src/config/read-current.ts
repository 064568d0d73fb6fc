// What a gateway has, by kind and name, in the shape of a configuration file beside the raw resources.
import type { ConfigKind } from '#contract/config-file.ts';
import { emptyResources, type Resources } from '#contract/config-plan.ts';
import { callOperator } from '../connection.ts';

type Row = Record<string, unknown>;

export interface Current {
  /** As the operator API shows them. */
  rows: Resources;
  /** As a file would say them: names instead of ids, hints instead of secrets. */
  shown: Resources;
  /** Rows whose name another row of `rows` has already. */
  others: Record<ConfigKind, Row[]>;
}

const KEY_OF: Record<ConfigKind, string> = {
  groups: 'name',
  accounts: 'name',
  flags: 'name',
  models: 'id',
  channels: 'name',
  tokens: 'name',
  alert_rules: 'rule',
  alert_sinks: 'name',
};

/** Where the operator API has them. */
export const PATH_OF: Record<ConfigKind, string> = {
  groups: '/groups',
  accounts: '/accounts',
  flags: '/flags',
  models: '/models',
  channels: '/channels',
  tokens: '/tokens',
  alert_rules: '/alerts/rules',
  alert_sinks: '/alerts/sinks',
};

/** Of a secret that is not shown at all only this is known. */
export const SECRET_IS_SET = 'set';

/** A token counts where the file names its account: other accounts may have one of the same name. */
export async function readCurrent(named: Resources = emptyResources()): Promise<Current> {
  const rows = emptyResources();
  const others = Object.fromEntries(Object.keys(rows).map((kind) => [kind, [] as Row[]])) as Current['others'];
  for (const kind of Object.keys(rows) as ConfigKind[]) {
    for (const row of await readAll(PATH_OF[kind])) {
      const name = String(row[KEY_OF[kind]]);
      const owner = kind === 'tokens' ? (named.tokens[name]?.['account'] as string | undefined) : undefined;
      if (owner !== undefined && row['account_id'] !== rows.accounts[owner]?.['id']) continue;
      if (rows[kind][name] !== undefined) others[kind].push(row);
      else rows[kind][name] = row;
    }
  }
  return { rows, shown: show(rows), others };
}

/** Does the name say which one is meant? */
export function isAmbiguous({ others }: Current, kind: ConfigKind, name: string): boolean {
  return others[kind].some((row) => row[KEY_OF[kind]] === name);
}

function show(rows: Resources): Resources {
  const names = new Map(Object.values(rows.accounts).map(({ id, name }) => [id, name]));
  const shown = emptyResources();
  Object.assign(shown, rows);
  shown.flags = mapRows(rows.flags, (row) => ({
    ...row,
    accounts: (row['accounts'] as string[]).map((id) => names.get(id) ?? id),
  }));
  shown.tokens = mapRows(rows.tokens, (row) => ({
    ...row,
    account: names.get(row['account_id']),
    key: row['key_hint'],
  }));
  shown.channels = mapRows(rows.channels, (row) => ({
    ...row,
    keys: (row['keys'] as { hint: string }[]).map(({ hint }) => hint),
  }));
  shown.alert_sinks = mapRows(rows.alert_sinks, (row) => ({
    ...row,
    secret: row['has_secret'] === true ? SECRET_IS_SET : null,
  }));
  return shown;
}

export async function readAll(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await callOperator<{ data: Row[]; next_cursor: string | null }>(path, {
      query: { limit: '200', cursor },
    });
    rows.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

function mapRows(rows: Record<string, Row>, change: (row: Row) => Row): Record<string, Row> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, change(row)]));
}
