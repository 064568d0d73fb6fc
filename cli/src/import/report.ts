// What an import says: every row of a plan before it is carried out, and the counts and sums after. No secret is shown.
import { maskAccessToken } from '../../../server/src/access/access-token.ts';
import { formatAmount } from '../../../server/src/billing/money.ts';
import { printTable, timeText } from '../output.ts';
import { COUNTED, type Outcome } from './apply-import.ts';
import type { ImportPlan, NotTaken } from './import-plan.ts';

type Rows = Record<string, unknown>[];

/** As JSON, and as the tables for people. */
export function planRows(plan: ImportPlan): Record<'groups' | 'models' | 'channels' | 'accounts' | 'tokens', Rows> {
  const names = new Map(plan.accounts.map(({ externalId, fields }) => [externalId, fields.name]));
  return {
    groups: plan.groups.map(({ name, multiplier }) => ({ name, multiplier })),
    models: plan.models.map(({ id, price, arithmetic }) => ({ id, price, arithmetic })),
    channels: plan.channels.map(({ keys, headers, ...channel }) => ({
      ...channel,
      keys: keys?.length ?? 0,
      headers: Object.keys(headers ?? {}),
    })),
    accounts: plan.accounts.map(({ externalId, fields, balance, arithmetic }) => ({
      name: fields.name,
      external_id: externalId,
      group: fields.group,
      status: fields.status,
      budget: fields.budget ?? null,
      balance: balance === null ? null : formatAmount(balance),
      arithmetic,
    })),
    tokens: plan.tokens.map(({ account, fields: { key, key_hash: hash, ...fields } }) => ({
      ...fields,
      account: names.get(account) ?? account,
      key: key === undefined ? `${(hash ?? '').slice(0, 13)}...` : maskAccessToken(key),
    })),
  };
}

const COLUMNS = {
  groups: ['name', 'multiplier'],
  models: ['id', 'arithmetic'],
  channels: ['name', 'provider', 'base_url', 'keys', 'models', 'groups', 'priority', 'weight', 'status'],
  accounts: ['name', 'group', 'status', 'balance', 'arithmetic', 'external_id'],
  tokens: ['name', 'account', 'key', 'quota', 'models', 'group', 'ip_allow', 'expires', 'status'],
} as const;

export function printPlan(plan: ImportPlan): void {
  const rows = planRows(plan);
  for (const kind of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) {
    heading(`${kind} (${rows[kind].length})`);
    const shown = rows[kind].map((row) => ({
      ...row,
      ...(kind === 'channels' && { models: Object.keys(row['models'] ?? {}).length }),
      ...(kind === 'tokens' && { expires: timeText(row['expires_at']) }),
    }));
    if (shown.length > 0) printTable(shown, COLUMNS[kind]);
  }
}

export function printNotTaken(notTaken: readonly NotTaken[]): void {
  heading(`not taken over, or changed (${notTaken.length})`);
  if (notTaken.length > 0) printTable(notTaken as unknown as Rows, ['kind', 'name', 'reason']);
}

export function printHistory({ history }: ImportPlan): void {
  if (history.length === 0) return;
  heading('history: counted, left where it is');
  printTable(history, ['what', 'rows', 'amount']);
}

export function printSums(plan: ImportPlan, outcome: Outcome | undefined): void {
  heading('sums');
  const sums = sumsOf(plan, outcome);
  const lines = [
    ['balances in the source', sums.before],
    ['not taken over', sums.not_taken],
    ['to be in the gateway', sums.expected],
    ...(sums.after === null ? [] : [['credited in the gateway', sums.after]]),
  ] as const;
  for (const [name, amount] of lines) process.stdout.write(`${name.padEnd(24)}  ${amount}\n`);
}

export function printCounts({ made, kept, refused }: Outcome): void {
  heading('done');
  const rows = COUNTED.map((what) => ({ what, made: made[what], 'there already': kept[what], refused: refused[what] }));
  printTable(rows, ['what', 'made', 'there already', 'refused']);
}

export function sumsOf({ sumBefore, sumNotTaken }: ImportPlan, outcome: Outcome | undefined) {
  return {
    before: formatAmount(sumBefore),
    not_taken: formatAmount(sumNotTaken),
    expected: formatAmount(sumBefore - sumNotTaken),
    after: outcome === undefined ? null : formatAmount(outcome.sumAfter),
  };
}

function heading(text: string): void {
  process.stdout.write(`\n${text.toUpperCase()}\n`);
}
