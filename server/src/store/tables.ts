// Typed columns of every table. Money is bigint nano-units, times are Unix seconds, lists and objects are JSON text,
// truth is 0 or 1: the same in both dialects.
import type { Generated } from 'kysely';

export interface AccountsTable {
  id: string;
  name: string;
  group_name: string;
  status: 'active' | 'disabled';
  /** JSON list of model patterns; null = all. */
  models: string | null;
  /** The free balance: open holds are already taken off. */
  balance: bigint;
  created_at: number;
}

export interface GroupsTable {
  name: string;
  multiplier: string;
  description: string;
  models: string | null;
}

export interface TokensTable {
  id: string;
  account_id: string;
  name: string;
  models: string | null;
  group_name: string | null;
  /** JSON list of addresses and CIDRs; [] = any. */
  ip_allow: string;
  quota: bigint | null;
  /** JSON {rpm, tpm, concurrency}. */
  rate: string;
  expires_at: number | null;
  mode: 'live' | 'test';
  status: 'enabled' | 'disabled';
  key_hint: string;
  /** Settled charges. */
  used: bigint;
  /** Sum of open holds. */
  held: bigint;
  created_at: number;
}

/** A token has one current key, and for a grace time after a rotation also the one before. */
export interface TokenKeysTable {
  key_hash: string;
  token_id: string;
  /** Set when the key was rotated out: valid until then. */
  ends_at: number | null;
  created_at: number;
}

export interface ChannelsTable {
  id: string;
  name: string;
  provider: string;
  base_url: string;
  /** JSON {"public name": "upstream name"}. */
  models: string;
  /** JSON list of group names; null or [] = every group. */
  groups: string | null;
  priority: number;
  weight: number;
  status: 'enabled' | 'disabled';
  headers: string;
  options: string;
  /** 1 for the channels of the built-in sandbox, the only ones that test tokens reach. */
  sandbox: number;
  created_at: number;
}

export interface ChannelKeysTable {
  id: string;
  channel_id: string;
  position: number;
  ciphertext: string;
  hint: string;
}

export interface ModelsTable {
  id: string;
  owned_by: string;
  endpoint_types: string;
  /** JSON price; null = not for sale. */
  price: string | null;
  enabled: number;
  flag: string | null;
  max_output_tokens: number | null;
  sandbox: number;
  created: number;
}

export interface FlagsTable {
  name: string;
  enabled: number;
  accounts: string;
  groups: string;
}

/** Open holds only: a hold that has ended is gone from here, and its lines in the ledger say how. */
export interface HoldsTable {
  id: string;
  request_id: string | null;
  task_id: string | null;
  account_id: string;
  token_id: string;
  amount: bigint;
  mode: 'live' | 'test';
  /** JSON {price, multiplier} in force at the hold. */
  price: string;
  /** The process that made the hold; when it is gone the sweeper ends the hold. */
  owner: string;
  expires_at: number;
  created_at: number;
}

export interface LedgerTable {
  id: Generated<bigint>;
  kind: 'credit' | 'hold' | 'settle' | 'release';
  account_id: string;
  token_id: string | null;
  hold_id: string | null;
  request_id: string | null;
  task_id: string | null;
  amount: bigint;
  balance_after: bigint;
  mode: 'live' | 'test';
  usage_source: 'upstream' | 'counted' | 'estimated' | null;
  note: string | null;
  author: string | null;
  created_at: number;
}

export interface RequestsTable {
  id: string;
  account_id: string;
  token_id: string;
  group_name: string;
  endpoint: string;
  model: string | null;
  channel_id: string | null;
  status: number;
  error_code: string | null;
  attempts: string;
  first_byte_ms: number | null;
  total_ms: number;
  usage: string | null;
  usage_source: 'upstream' | 'counted' | 'estimated' | null;
  charge: bigint;
  arithmetic: string | null;
  mode: 'live' | 'test';
  created_at: number;
}

/** One row per hour and combination of names; '' where the request had none. */
export interface UsageSumsTable {
  /** Start of the hour. */
  bucket: number;
  account_id: string;
  token_id: string;
  group_name: string;
  model: string;
  channel_id: string;
  mode: 'live' | 'test';
  requests: bigint;
  errors: bigint;
  input_tokens: bigint;
  output_tokens: bigint;
  milliseconds: bigint;
  images: bigint;
  amount: bigint;
  /** Sum over the `first_bytes` requests that had one. */
  first_byte_ms: bigint;
  first_bytes: bigint;
  total_ms: bigint;
}

export interface OperatorsTable {
  id: string;
  name: string;
  password_hash: string;
  role: 'admin' | 'viewer';
  status: 'active' | 'disabled';
  must_change_password: number;
  created_at: number;
}

export interface SessionsTable {
  id_hash: string;
  operator_id: string;
  csrf_hash: string;
  created_at: number;
  expires_at: number;
}

export interface AuditTable {
  id: Generated<bigint>;
  operator: string;
  action: string;
  resource: string;
  resource_id: string;
  detail: string;
  created_at: number;
}

/** One row per change that other processes must notice; `sequence` is dense and ordered by commit. */
export interface ChangesTable {
  sequence: number;
  kind: 'token' | 'account' | 'catalogue';
  subject: string;
  created_at: number;
}

export interface ProcessesTable {
  id: string;
  started_at: number;
  heartbeat_at: number;
}

export interface MetaTable {
  key: string;
  value: string;
}

/** Where the upstream that made a response keeps it. */
export interface ResponsesTable {
  account_id: string;
  /** The upstream's own id. */
  id: string;
  channel_id: string;
  key_id: string;
  created_at: number;
}

export interface Tables {
  accounts: AccountsTable;
  groups: GroupsTable;
  tokens: TokensTable;
  token_keys: TokenKeysTable;
  channels: ChannelsTable;
  channel_keys: ChannelKeysTable;
  models: ModelsTable;
  flags: FlagsTable;
  holds: HoldsTable;
  ledger: LedgerTable;
  requests: RequestsTable;
  usage_sums: UsageSumsTable;
  operators: OperatorsTable;
  sessions: SessionsTable;
  audit: AuditTable;
  changes: ChangesTable;
  processes: ProcessesTable;
  meta: MetaTable;
  responses: ResponsesTable;
}
