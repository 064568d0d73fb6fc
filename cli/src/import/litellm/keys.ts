// Virtual keys of LiteLLM: its table has their SHA-256, which is all that is needed for clients to keep them.
import { tokenCreate } from '#contract/tokens.ts';
import { nameOf } from '../names.ts';
import type { NotTaken, PlannedAccount, PlannedToken } from '../import-plan.ts';
import { object, type Row, type Source, text, truth } from '../sources/source.ts';
import { accountOf, type AccountContext, readModels } from './accounts.ts';
import { amountText, readBudget, readRate, remaining } from './limits.ts';

const TABLES = {
  keys: 'LiteLLM_VerificationToken',
  teams: 'LiteLLM_TeamTable',
  users: 'LiteLLM_UserTable',
  budgets: 'LiteLLM_BudgetTable',
} as const;

/** Sessions of its own web page are kept as keys too. */
const DASHBOARD = 'litellm-dashboard';

export interface ReadKeys {
  accounts: PlannedAccount[];
  tokens: PlannedToken[];
}

export async function isLitellm(source: Source): Promise<boolean> {
  return (await source.columns(TABLES.keys)).includes('token');
}

export async function readKeys(
  source: Source,
  context: AccountContext & { defaultAccount: string },
): Promise<ReadKeys> {
  const keys = (await source.rows(TABLES.keys)).toSorted((a, b) => (text(a['token']) < text(b['token']) ? -1 : 1));
  const budgets = new Map((await source.rows(TABLES.budgets)).map((row) => [text(row['budget_id']), row]));
  const accounts = new Map<string, PlannedAccount>();
  for (const row of await source.rows(TABLES.teams)) {
    if (text(row['team_id']) !== DASHBOARD)
      accounts.set(`team ${text(row['team_id'])}`, accountOf(row, 'team', context));
  }
  const users = new Map((await source.rows(TABLES.users)).map((row) => [text(row['user_id']), row]));
  const tokens: PlannedToken[] = [];
  let sessions = 0;
  for (const row of keys) {
    if (text(row['team_id']) === DASHBOARD) {
      sessions++;
      continue;
    }
    const account = accountFor(row, { accounts, users, context });
    const token = tokenOf(row, budgets.get(text(row['budget_id'])) ?? {}, context.notTaken);
    if (token !== undefined) tokens.push({ account, fields: token });
  }
  if (sessions > 0)
    context.notTaken.push({
      kind: 'token',
      name: `${sessions} rows`,
      reason: 'sign-ins to its web page, no keys of clients',
    });
  return { accounts: [...accounts.values()], tokens };
}

interface Owners {
  accounts: Map<string, PlannedAccount>;
  users: ReadonlyMap<string, Row>;
  context: AccountContext & { defaultAccount: string };
}

/** External id of the account that pays: the team, else the user, else the common one. */
function accountFor(row: Row, { accounts, users, context }: Owners): string {
  const team = accounts.get(`team ${text(row['team_id'])}`);
  if (team !== undefined) return team.externalId;
  const id = text(row['user_id']);
  const user = users.get(id);
  if (user === undefined) return context.defaultAccount;
  const account = accounts.get(`user ${id}`) ?? accountOf(user, 'user', context);
  accounts.set(`user ${id}`, account);
  return account.externalId;
}

function tokenOf(row: Row, shared: Row, notTaken: NotTaken[]): PlannedToken['fields'] | undefined {
  const hash = text(row['token']).toLowerCase();
  const name = nameOf(text(row['key_alias']) || text(row['key_name']), `key ${hash.slice(0, 8)}`);
  const say = (reason: string): void => void notTaken.push({ kind: 'token', name, reason });
  if (!/^[0-9a-f]{64}$/.test(hash)) {
    say('its row has no SHA-256 of a key');
    return undefined;
  }
  if (Object.keys(object(row['aliases']) ?? {}).length > 0) say('its model aliases have no equivalent here');
  if (Array.isArray(row['allowed_routes']) && row['allowed_routes'].length > 0)
    say('its list of allowed routes has no equivalent here');
  const budget = readBudget(row, shared);
  if (budget.oddDuration !== null) say(`its budget resets every ${budget.oddDuration}; here it is a total budget`);
  const fields: PlannedToken['fields'] = {
    name,
    key_hash: `sha256:${hash}`,
    models: readModels(row['models'], say),
    rate: readRate(row, shared),
    quota: budget.maximum === null ? null : amountText(budget.period === null ? remaining(budget) : budget.maximum),
    quota_period: budget.maximum === null ? null : budget.period,
    expires_at: row['expires'] instanceof Date ? Math.floor(row['expires'].getTime() / 1000) : null,
    status: truth(row['blocked']) ? 'disabled' : 'enabled',
  };
  const [issue] = tokenCreate.safeParse({ ...fields, account_id: 'account' }).error?.issues ?? [];
  if (issue === undefined) return fields;
  say(`"${issue.path.join('.')}" ${issue.message}`);
  return undefined;
}
