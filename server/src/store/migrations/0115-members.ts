// People of an account who use the portal, their sessions, and codes that they redeem (contract-2 10). A cap binds all tokens
// that a member made together.
import type { Migration } from './migration.ts';

export const members: Migration = {
  name: '0115-members',
  statements: ({ money, time }) => [
    `create table members (
      id text primary key,
      account_id text not null,
      email text not null unique,
      role text not null,
      status text not null,
      password_hash text,
      invite_hash text unique,
      invite_expires_at ${time},
      cap ${money},
      cap_period text,
      cap_start ${time} not null default 0,
      cap_used ${money} not null default 0,
      created_at ${time} not null
    )`,
    `create index members_by_account on members (account_id)`,
    `create table member_sessions (
      id text primary key,
      member_id text not null,
      csrf text not null,
      expires_at ${time} not null,
      created_at ${time} not null
    )`,
    `create index member_sessions_by_member on member_sessions (member_id)`,
    `alter table tokens add column member_id text`,
    `create index tokens_by_member on tokens (member_id) where member_id is not null`,
    `create table codes (
      id text primary key,
      code_hash text not null unique,
      hint text not null,
      amount ${money} not null,
      note text,
      expires_at ${time},
      created_by text not null,
      created_at ${time} not null,
      redeemed_at ${time},
      account_id text,
      member_id text,
      ledger_id ${money}
    )`,
  ],
};
