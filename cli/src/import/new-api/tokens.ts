// Tokens of new-api and one-api: the key stays as clients send it, with `sk-` in front.
import { tokenCreate } from '#contract/tokens.ts';
import { addressRange } from '#contract/values/network-addresses.ts';
import { modelPattern } from '#contract/values/text.ts';
import { formatAmount } from '../../../../server/src/billing/money.ts';
import { type Exact, toNano } from '../exact-decimal.ts';
import type { NotTaken, PlannedToken } from '../import-plan.ts';
import { isSet, list, type Row, text, truth, whole } from '../sources/source.ts';
import { groupOf, nameOf } from '../names.ts';

const DISABLED = 2n;
const EXPIRED = 3n;

interface Context {
  perUnit: Exact;
  byUser: ReadonlyMap<string, string>;
  now: number;
}

export function readTokens(rows: readonly Row[], context: Context): { tokens: PlannedToken[]; notTaken: NotTaken[] } {
  const tokens: PlannedToken[] = [];
  const notTaken: NotTaken[] = [];
  let deleted = 0;
  for (const row of rows.toSorted((a, b) => Number(whole(a['id']) - whole(b['id'])))) {
    const name = nameOf(text(row['name']), `token ${text(row['id'])}`);
    const say = (reason: string): void =>
      void notTaken.push({ kind: 'token', name: `${name} #${text(row['id'])}`, reason });
    const account = context.byUser.get(text(row['user_id']));
    if (isSet(row['deleted_at'])) {
      deleted++;
    } else if (account === undefined) say('its user was deleted there, or is not in the source');
    else {
      const fields = tokenOf(row, { name, context, say });
      const [issue] = tokenCreate.safeParse({ ...fields, account_id: account }).error?.issues ?? [];
      if (issue === undefined) tokens.push({ account, fields });
      else say(`"${issue.path.join('.')}" ${issue.message}`);
    }
  }
  if (deleted > 0) notTaken.push({ kind: 'token', name: `${deleted} rows`, reason: 'deleted there' });
  return { tokens, notTaken };
}

function tokenOf(
  row: Row,
  { name, context, say }: { name: string; context: Context; say: (reason: string) => void },
): PlannedToken['fields'] {
  const addresses = readAddresses(row, say);
  const status = whole(row['status']);
  const expires = whole(row['expired_time']);
  const isOver = status === EXPIRED && (expires < 0n || expires > BigInt(context.now));
  const remaining = whole(row['remain_quota']);
  return {
    name,
    key: `sk-${text(row['key']).trim()}`,
    models: readModels(row, say),
    group: readGroup(row, say),
    ip_allow: addresses.allowed,
    quota: truth(row['unlimited_quota'])
      ? null
      : formatAmount(toNano({ digits: remaining < 0n ? 0n : remaining, scale: 0 }, context.perUnit)),
    expires_at: expires < 0n || expires === 0n ? null : Number(expires),
    status: status === DISABLED || isOver || addresses.isUnreadable ? 'disabled' : 'enabled',
  };
}

/** null = all. */
function readModels(row: Row, say: (reason: string) => void): string[] | null {
  const written = list(row['model_limits'] ?? row['models']);
  const isLimited = row['model_limits_enabled'] === undefined ? written.length > 0 : truth(row['model_limits_enabled']);
  if (!isLimited) return null;
  const models = written.filter((model) => modelPattern.safeParse(model).success);
  if (models.length < written.length) say(`${written.length - models.length} of its models cannot be written here`);
  return models;
}

function readGroup(row: Row, say: (reason: string) => void): string | null {
  const group = text(row['group']).trim();
  if (group !== 'auto') return group === '' ? null : groupOf(group);
  say("its group is auto, which tries several groups; it has its account's group here");
  return null;
}

function readAddresses(row: Row, say: (reason: string) => void): { allowed: string[]; isUnreadable: boolean } {
  const written = list(row['allow_ips'] ?? row['subnet']);
  const allowed = written.filter((address) => addressRange.safeParse(address).success);
  if (allowed.length < written.length) say(`"${written.find((one) => !allowed.includes(one)) ?? ''}" is no address`);
  const isUnreadable = written.length > 0 && allowed.length === 0;
  if (isUnreadable) say('none of its addresses can be read, so it is disabled rather than open to all');
  return { allowed, isUnreadable };
}
