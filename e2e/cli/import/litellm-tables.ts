// The tables of LiteLLM that an import reads, as its migrations make them, and rows of every kind.
import { createHash } from 'node:crypto';
import pg from 'pg';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const SCHEMA = `
create table "LiteLLM_BudgetTable" (budget_id text primary key, max_budget double precision, max_parallel_requests integer,
  tpm_limit bigint, rpm_limit bigint, budget_duration text);
create table "LiteLLM_TeamTable" (team_id text primary key, team_alias text, max_budget double precision,
  spend double precision not null default 0, models text[], max_parallel_requests integer, tpm_limit bigint,
  rpm_limit bigint, budget_duration text, blocked boolean not null default false);
create table "LiteLLM_UserTable" (user_id text primary key, user_alias text, user_email text, max_budget double precision,
  spend double precision not null default 0, models text[], max_parallel_requests integer, tpm_limit bigint,
  rpm_limit bigint, budget_duration text);
create table "LiteLLM_VerificationToken" (token text primary key, key_name text, key_alias text,
  spend double precision not null default 0, expires timestamp(3), models text[], aliases jsonb not null default '{}',
  user_id text, team_id text, max_parallel_requests integer, blocked boolean, tpm_limit bigint, rpm_limit bigint,
  max_budget double precision, budget_duration text, allowed_routes text[] default array[]::text[], budget_id text);
create table "LiteLLM_SpendLogs" (request_id text primary key, spend double precision not null);
create table "LiteLLM_ProxyModelTable" (model_id text primary key, litellm_params jsonb);
`;

export const KEYS = {
  team: 'sk-litellm-team-key-0001',
  user: 'sk-litellm-user-key-0002',
  nobody: 'sk-litellm-lone-key-0003',
  blocked: 'sk-litellm-blocked-0004',
  expired: 'sk-litellm-expired-0005',
  listed: 'sk-litellm-listed-00006',
} as const;

type Row = Record<string, unknown>;

const ROWS: [table: string, row: Row][] = [
  ['LiteLLM_BudgetTable', { budget_id: 'b1', max_budget: 3, rpm_limit: 50, budget_duration: '30d' }],
  ['LiteLLM_TeamTable', { team_id: 't1', team_alias: 'Research', max_budget: 10, spend: 2.5, models: [] }],
  [
    'LiteLLM_TeamTable',
    {
      team_id: 't2',
      team_alias: 'Monthly',
      max_budget: 20,
      spend: 4,
      models: ['lite-chat'],
      budget_duration: '30d',
      rpm_limit: 600,
    },
  ],
  [
    'LiteLLM_TeamTable',
    { team_id: 't3', team_alias: 'Odd', max_budget: 20, models: [], budget_duration: '42d', blocked: true },
  ],
  ['LiteLLM_UserTable', { user_id: 'u1', user_email: 'ann@example.com', max_budget: 1, spend: 5, models: [] }],
  ['LiteLLM_UserTable', { user_id: 'u2', user_alias: 'without keys', models: [] }],
  [
    'LiteLLM_VerificationToken',
    {
      token: sha256(KEYS.team),
      key_alias: 'team key',
      team_id: 't1',
      models: ['all-team-models'],
      max_budget: 2,
      spend: 0.5,
      budget_id: 'b1',
    },
  ],
  [
    'LiteLLM_VerificationToken',
    { token: sha256(KEYS.user), key_name: 'sk-...0002', user_id: 'u1', models: [], aliases: '{"gpt":"lite-chat"}' },
  ],
  [
    'LiteLLM_VerificationToken',
    { token: sha256(KEYS.nobody), key_alias: 'lone', models: [], tpm_limit: 100_000, max_parallel_requests: 4 },
  ],
  [
    'LiteLLM_VerificationToken',
    { token: sha256(KEYS.blocked), key_alias: 'blocked', team_id: 't1', models: [], blocked: true },
  ],
  [
    'LiteLLM_VerificationToken',
    { token: sha256(KEYS.expired), key_alias: 'expired', team_id: 't1', models: [], expires: '2020-01-01T00:00:00Z' },
  ],
  [
    'LiteLLM_VerificationToken',
    { token: sha256(KEYS.listed), key_alias: 'listed', team_id: 't1', models: ['other-model'] },
  ],
  ['LiteLLM_VerificationToken', { token: sha256('sk-session'), team_id: 'litellm-dashboard', models: [] }],
  ['LiteLLM_SpendLogs', { request_id: 'r1', spend: 0.25 }],
  ['LiteLLM_ProxyModelTable', { model_id: 'm1', litellm_params: '{}' }],
];

export async function writeLitellm(address: string): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  await client.query(SCHEMA);
  for (const [table, row] of ROWS) {
    const names = Object.keys(row);
    await client.query(
      `insert into "${table}" (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(row),
    );
  }
  await client.end();
}
