// The first tables: accounts, access, catalogue, channels, money, request log, operators.
import type { Migration } from './migration.ts';

export const initial: Migration = {
  name: '0001-initial',
  statements: ({ id, money, time, serial, byKey, appendOnly }) => [
    `create table meta (key text primary key, value text not null)`,
    `create table changes (sequence integer primary key, kind text not null, subject text not null, created_at ${time} not null)`,
    `create table processes (id ${id} primary key, started_at ${time} not null, heartbeat_at ${time} not null)`,

    `create table accounts (
      id ${id} primary key, name text not null, group_name text not null, status text not null, models text,
      balance ${money} not null, created_at ${time} not null)`,
    `create table groups (name text primary key, multiplier text not null, description text not null, models text)`,
    `create table tokens (
      id ${id} primary key, account_id text not null references accounts (id), name text not null, models text,
      group_name text, ip_allow text not null, quota ${money}, rate text not null, expires_at ${time}, mode text not null,
      status text not null, key_hint text not null, used ${money} not null, held ${money} not null,
      created_at ${time} not null)`,
    `create index tokens_by_account on tokens (account_id)`,
    `create table token_keys (
      key_hash text primary key, token_id text not null references tokens (id), ends_at ${time},
      created_at ${time} not null)`,
    `create index token_keys_by_token on token_keys (token_id)`,

    `create table channels (
      id ${id} primary key, name text not null unique, provider text not null, base_url text not null, models text not null,
      groups text, priority integer not null, weight integer not null, status text not null, headers text not null,
      options text not null, sandbox integer not null, created_at ${time} not null)`,
    `create table channel_keys (
      id ${id} primary key, channel_id text not null references channels (id), position integer not null,
      ciphertext text not null, hint text not null)`,
    `create index channel_keys_by_channel on channel_keys (channel_id)`,
    `create table models (
      id ${id} primary key, owned_by text not null, endpoint_types text not null, price text, enabled integer not null,
      flag text, max_output_tokens integer, sandbox integer not null, created ${time} not null)`,
    `create table flags (name text primary key, enabled integer not null, accounts text not null, groups text not null)`,

    // Every call writes here: no more indexes and checks than are needed. A hold's id is its request's or task's id; it is
    // deleted when it ends, and the unique lines of the ledger remember it.
    `create table holds (
      id ${id} primary key, request_id text, task_id text, account_id text not null, token_id text not null,
      amount ${money} not null check (amount >= 0), mode text not null, price text not null, owner text not null,
      expires_at ${time} not null, created_at ${time} not null) ${byKey}`,
    `create table ledger (
      id ${serial}, kind text not null, account_id text not null, token_id text, hold_id text, request_id text,
      task_id text, amount ${money} not null, balance_after ${money} not null, mode text not null, usage_source text,
      note text, author text, created_at ${time} not null,
      check (kind = 'credit' or amount >= 0), unique (hold_id, kind))`,
    `create index ledger_by_account on ledger (account_id, id)`,
    ...appendOnly('ledger'),

    `create table requests (
      id ${id} primary key, account_id text not null, token_id text not null, group_name text not null,
      endpoint text not null, model text, channel_id text, status integer not null, error_code text,
      attempts text not null, first_byte_ms integer, total_ms integer not null, usage text, usage_source text,
      charge ${money} not null, arithmetic text, mode text not null, created_at ${time} not null) ${byKey}`,
    `create index requests_by_account on requests (account_id, id)`,

    `create table operators (
      id ${id} primary key, name text not null unique, password_hash text not null, role text not null,
      status text not null, must_change_password integer not null, created_at ${time} not null)`,
    `create table sessions (
      id_hash text primary key, operator_id text not null references operators (id), csrf_hash text not null,
      created_at ${time} not null, expires_at ${time} not null)`,
    `create table audit (
      id ${serial}, operator text not null, action text not null, resource text not null, resource_id text not null,
      detail text not null, created_at ${time} not null)`,
    ...appendOnly('audit'),
  ],
};
