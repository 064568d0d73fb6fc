// Typed columns of every table. Money is bigint nano-units, times are Unix seconds, lists and objects are JSON text,
// truth is 0 or 1: the same in both dialects.
import type { Generated } from 'kysely';
import type { Period } from './ledger/allowance.ts';

export interface AccountsTable {
  id: string;
  name: string;
  group_name: string;
  status: 'active' | 'disabled';
  /** JSON list of model patterns; null = all. */
  models: string | null;
  /** The free balance: open holds are already taken off. */
  balance: bigint;
  /** JSON {rpm, tpm, concurrency}. */
  rate: string;
  /** What live calls may cost in a period, or in all when there is none; null = as much as the balance. */
  budget: bigint | null;
  budget_period: Period | null;
  /** Held and charged since then. */
  budget_start: number;
  budget_used: bigint;
  /** What it is called elsewhere, such as where it was imported from; unique. */
  external_id: string | null;
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
  /** JSON list; empty = any page, and no page. */
  origins: string;
  quota: bigint | null;
  /** null = the quota is for the token's whole life. */
  quota_period: Period | null;
  /** Held and charged since then, for a quota with a period. */
  period_start: number;
  period_used: bigint;
  /** JSON {rpm, tpm, concurrency}. */
  rate: string;
  expires_at: number | null;
  mode: 'live' | 'test';
  status: 'enabled' | 'disabled';
  /** JSON {strict, fit_balance, store_bodies}. */
  options: string;
  key_hint: string;
  /** Settled charges. */
  used: bigint;
  /** Sum of open holds. */
  held: bigint;
  created_at: number;
  /** Who made it in the portal; null = an operator. */
  member_id: string | null;
  /** JSON {limit: maker, owner or operator}; where a limit is missing, who made the token. */
  limits_set_by: string | null;
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
  /** A disabled one still answers for what it has taken; no new request is sent with it. */
  status: 'enabled' | 'disabled';
}

export interface ChannelKeyStatesTable {
  channel_id: string;
  /** Empty where the channel is called without a key. */
  key_id: string;
  version: number;
  out_since: number | null;
  out_until: number | null;
  reason: string | null;
  probe_at: number | null;
  /** null: the probe could not tell. */
  probe_ok: 0 | 1 | null;
  probe_message: string | null;
}

export interface ChannelMemoryTable {
  channel_id: string;
  success_at: number | null;
  error_at: number | null;
  error_class: string | null;
  error_status: number | null;
  error_message: string | null;
  test_at: number | null;
  test_ok: 0 | 1 | null;
  test_status: number | null;
  test_ms: number | null;
  test_model: string | null;
  test_message: string | null;
}

export interface ChannelCallsTable {
  channel_id: string;
  /** Unix seconds of its beginning. */
  hour: number;
  /** Of times (routing/call-record.ts), or -1 for calls that failed. */
  bucket: number;
  calls: number;
}

/** Of one key; its empty id stands for calls without a key. */
export interface ChannelKeyCallsTable extends ChannelCallsTable {
  key_id: string;
  /** What was charged: it stands in the row of the calls that failed, since it belongs to no time. */
  amount: bigint;
}

export interface ChannelKeyErrorsTable {
  channel_id: string;
  key_id: string;
  error_at: number;
  error_class: string;
  error_status: number | null;
  error_message: string;
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
  /** 1 passes on what has no price, 0 drops it; null = tiers are dropped, tools passed on. */
  pass_unpriced: number | null;
  /** When its vendor retires it; null = not known. */
  retires_at: number | null;
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
  /** What the call has come to so far: JSON of its line in the request log. */
  checkpoint: string | null;
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
  usage_source: 'upstream' | 'counted' | 'estimated' | 'bounded' | null;
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
  usage_source: 'upstream' | 'counted' | 'estimated' | 'bounded' | null;
  charge: bigint;
  arithmetic: string | null;
  mode: 'live' | 'test';
  created_at: number;
  /** Why the gateway itself refused it. */
  reason?: string | null | undefined;
}

/** As it lies in the store. `change` counts the lines as they were written or changed; 0: before they were counted. */
export interface NumberedRequestsTable extends RequestsTable {
  change: Generated<bigint>;
}

/** How far a sink of the export has come in the ledger or the request log. */
export interface ExportsTable {
  sink: string;
  name: 'ledger' | 'requests';
  /** Number of the last row that it has; -1 while lines without a number are exported, by their ids. */
  reached: bigint;
  /** Of those the last one. */
  reached_id: string;
  /** Where the batch that is being written ends; null when none is. */
  planned: bigint | null;
  planned_id: string | null;
  /** Everything that was committed by then is in the sink. */
  complete_at: number;
  rows_written: bigint;
}

/** Why a sink does not take anything now. */
export interface ExportErrorsTable {
  sink: string;
  message: string;
  /** Since the last success. */
  failures: number;
  created_at: number;
}

/** What was asked and answered, sealed. */
export interface RequestBodiesTable {
  id: string;
  sealed: Uint8Array;
  created_at: number;
}

/** One row per quarter of an hour and combination of names; '' where the request had none. */
export interface UsageSumsTable {
  /** Start of the quarter, or of the hour in rows of older versions. */
  bucket: number;
  account_id: string;
  token_id: string;
  group_name: string;
  model: string;
  channel_id: string;
  mode: 'live' | 'test';
  /** '' where no model was known, and in rows of older versions. */
  endpoint: string;
  /** 0 in rows of older versions. */
  status: number;
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
  /** Sealed; null = no second factor. */
  totp_secret: string | null;
  /** 0 until its owner has shown a code. */
  totp_confirmed: number;
  /** The last time step whose code was used. */
  totp_step: number;
  /** JSON list of digests. */
  recovery_hashes: string;
}

export interface SessionsTable {
  id_hash: string;
  operator_id: string;
  csrf_hash: string;
  created_at: number;
  expires_at: number;
  signed_in_by: 'password' | 'oidc';
}

/** Failures that were counted until the window ends; `known` rows have none and say that a name has signed in from an address. */
export interface SignInCountsTable {
  subject: string;
  failures: number;
  ends_at: number;
}

/** A person of an account, who uses the portal. */
export interface MembersTable {
  id: string;
  account_id: string;
  /** In lower case. */
  email: string;
  role: 'owner' | 'member' | 'viewer';
  status: 'invited' | 'active' | 'disabled';
  password_hash: string | null;
  invite_hash: string | null;
  invite_expires_at: number | null;
  /** What all tokens that the member made may spend together. */
  cap: bigint | null;
  cap_period: Period | null;
  cap_start: number;
  cap_used: bigint;
  /** Who signs in as the member by OpenID Connect, as the first sign-in named them; null: nobody so far. */
  oidc_issuer: string | null;
  oidc_subject: string | null;
  created_at: number;
}

export interface MemberSessionsTable {
  /** Digest of what the cookie holds. */
  id: string;
  member_id: string;
  csrf: string;
  expires_at: number;
  created_at: number;
}

/** Money on paper: redeemed once, by an account. */
export interface CodesTable {
  id: string;
  code_hash: string;
  hint: string;
  amount: bigint;
  note: string | null;
  expires_at: number | null;
  created_by: string;
  created_at: number;
  redeemed_at: number | null;
  account_id: string | null;
  member_id: string | null;
  ledger_id: bigint | null;
}

/** A credential of a program on the operator API. */
export interface OperatorKeysTable {
  id: string;
  name: string;
  role: 'admin' | 'viewer' | 'metrics';
  status: 'enabled' | 'disabled';
  key_hash: string;
  key_hint: string;
  expires_at: number | null;
  /** Name of the operator who made it. */
  created_by: string;
  created_at: number;
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

/** The life of a process: while none is seen, the gateway is away. */
export interface GatewayRunsTable {
  id: string;
  started_at: number;
  seen_at: number;
}

export interface MetaTable {
  key: string;
  value: string;
}

/** What an upstream keeps under our key, and for whom. */
export interface UpstreamObjectsTable {
  account_id: string;
  id_hash: string;
  kind: 'item' | 'container' | 'file' | 'audio';
  channel_id: string;
  key_id: string;
  created_at: number;
  expires_at: number;
}

/** Where the upstream that made a response keeps it. */
export interface ResponsesTable {
  account_id: string;
  /** The upstream's own id. */
  id: string;
  channel_id: string;
  key_id: string;
  created_at: number;
  /** null where an older version remembered it. */
  model?: string | null | undefined;
}

/** A response that the gateway keeps itself. */
export interface KeptResponsesTable {
  account_id: string;
  id: string;
  /** The one that it went on from. */
  previous: string | null;
  model: string;
  mode: 'live' | 'test';
  sealed: Uint8Array;
  used_at: number;
  /** What the conversation up to it adds to the input of a request that goes on from it, beside media; null: not measured. */
  input_bytes: number | null;
  media_count: number | null;
}

/** A call that goes on at its upstream after it was answered; its hold waits for what it used. */
export interface BackgroundCallsTable {
  hold_id: string;
  account_id: string;
  /** The upstream's own id. */
  upstream_id: string;
  channel_id: string;
  key_id: string;
  /** JSON of what the charge and the line of the request log need. */
  detail: string;
  /** When the gateway asks the upstream itself. */
  ask_at: number;
  /** When it is charged without an answer. */
  deadline: number;
  created_at: number;
}

/** A request that its caller gave a key. */
export interface IdempotencyTable {
  /** Whose keys they are. */
  scope: string;
  key: string;
  /** Of path and body. */
  digest: string;
  /** `done`: carried out, and its answer not kept yet. */
  state: 'running' | 'done' | 'kept';
  attempt: string;
  /** The process that answers it. */
  owner: string;
  /** The request under way, or an earlier one whose task is the key's; null where there can be no task. */
  request_id: string | null;
  status: number | null;
  /** Sealed JSON of the answer's head. */
  head: string | null;
  created_at: number;
  expires_at: number;
}

/** A kept answer's body, sealed. */
export interface IdempotencyPiecesTable {
  attempt: string;
  position: number;
  bytes: Uint8Array;
}

/** A price that a model had from then on. */
export interface PriceVersionsTable {
  id: Generated<bigint>;
  model_id: string;
  /** JSON price; null = not for sale. */
  price: string | null;
  author: string;
  /** `change`, `remove`, or where it was imported from. */
  origin: string;
  created_at: number;
}

/** Until a task is finished there is an open hold with its id; both end in one transaction. */
export interface TasksTable {
  id: string;
  account_id: string;
  token_id: string;
  group_name: string;
  mode: 'live' | 'test';
  /** The request that submitted it, and the path it came by. */
  request_id: string;
  endpoint: string;
  model: string;
  /** The very key that submitted it also asks about it. */
  channel_id: string | null;
  key_id: string | null;
  upstream_id: string | null;
  /** JSON, made and read by the provider's adapter; null where the id is all that it needs. */
  handle: string | null;
  /** What the provider was asked for, and when: null while no call is made, and again when it surely took nothing. */
  upstream_model: string | null;
  sent_at: number | null;
  state: TaskState;
  /** 0 to 100. */
  progress: number;
  result_url: string | null;
  fail_reason: string | null;
  error_code: string | null;
  /** JSON of what was sent and of what the provider counted, for the charge. */
  sent: string;
  told: string;
  seconds: number | null;
  size: string | null;
  hold: bigint;
  charge: bigint | null;
  arithmetic: string | null;
  /** JSON {price, multiplier} in force at the submit. */
  price: string;
  /** Raised by every change: who read an older one may not write. */
  version: number;
  lease_owner: string | null;
  /** By the database's clock. */
  lease_until: number | null;
  /** Milliseconds since 1970: seconds are too coarse for a schedule. */
  next_poll_at: number;
  poll_failures: number;
  /** How often the provider has called it done without saying where the video is. */
  videoless: number;
  /** Since when the provider has refused to answer for it. */
  refused_since: number | null;
  deadline: number;
  webhook_url: string | null;
  /** 1 when the video lies in the data folder. */
  archived: number;
  /** When it may be copied next, by the database's clock: the copying process puts this off. */
  archive_at: number;
  archive_tries: number;
  /** Set when its owner is not to see it any more. */
  deleted_at: number | null;
  created_at: number;
  updated_at: number;
  completed_at: number | null;
}

/** The first three are never shown: to callers such a task is SUBMITTED. */
export type TaskState =
  | 'CREATED'
  | 'SUBMITTING'
  | 'SUBMIT_UNKNOWN'
  | 'SUBMITTED'
  | 'QUEUED'
  | 'IN_PROGRESS'
  | 'SUCCESS'
  | 'FAILURE';

export interface TaskEventsTable {
  id: Generated<bigint>;
  task_id: string;
  status: TaskState;
  at: number;
}

export interface WebhooksTable {
  account_id: string;
  /** Called for every task of the account; null = only for those that name an address of their own. */
  url: string | null;
  /** Sealed. */
  secret: string;
  created_at: number;
}

/** What is sent until its receiver has taken it. */
interface DeliveriesTable {
  id: string;
  /** Each time the same. */
  payload: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** JSON list of {at, status, error, ms}. */
  log: string;
  /** Milliseconds since 1970. */
  next_attempt_at: number;
  created_at: number;
  completed_at: number | null;
}

/** Their payload has the very bytes that are signed and sent. */
export interface WebhookDeliveriesTable extends DeliveriesTable {
  task_id: string;
  account_id: string;
  url: string;
}

/** Something went wrong; open until `resolved_at`. */
export interface AlertsTable {
  id: string;
  rule: string;
  severity: 'critical' | 'warning';
  subject_kind: 'channel' | 'account' | 'model' | 'tasks' | 'store';
  subject: string;
  title: string;
  detail: string;
  opened_at: number;
  /** When title and detail were written. */
  updated_at: number;
  resolved_at: number | null;
}

/** Only what operators have changed; other rules are as the contract has them. */
export interface AlertRulesTable {
  rule: string;
  enabled: number;
  /** JSON {name: number}. */
  thresholds: string;
}

/** Who is notified of alerts. */
export interface AlertSinksTable {
  id: string;
  name: string;
  kind: 'webhook' | 'mail' | 'slack' | 'feishu' | 'dingtalk';
  /** Sealed. */
  url: string | null;
  /** JSON list of e-mail addresses. */
  recipients: string;
  /** Sealed. */
  secret: string | null;
  /** JSON list of rules; null = all. */
  rules: string | null;
  /** 1: also when an alert is resolved. */
  resolved: number;
  language: 'en' | 'zh';
  status: 'enabled' | 'disabled';
  created_at: number;
}

/** Their payload is the event as JSON; sinks put it into their own shape. */
export interface AlertDeliveriesTable extends DeliveriesTable {
  sink_id: string;
  /** null for a test. */
  alert_id: string | null;
  event: 'opened' | 'resolved' | 'test';
}

/** Which process evaluates the rules. Times are the database's own. */
export interface AlertDutyTable {
  name: string;
  owner: string;
  ends_at: number;
}

/** A file of an account. Its bytes lie in the blob store under its id. */
export interface FilesTable {
  id: string;
  account_id: string;
  /** The token that made it. */
  token_id: string;
  purpose: string;
  filename: string;
  content_type: string;
  bytes: bigint;
  created_at: number;
  expires_at: number | null;
}

/** Every line of a batch has an open hold of its own (`<batch id>/<custom_id>`) until it is answered or given up. */
export interface BatchesTable {
  id: string;
  account_id: string;
  token_id: string;
  mode: 'live' | 'test';
  /** Whose shape its owner speaks. */
  style: 'openai' | 'anthropic';
  /** The path that its lines are for. */
  endpoint: string;
  input_file_id: string | null;
  /** Key of the blob that holds the bodies of its lines. */
  input_blob: string;
  /** JSON of headers that its lines have. */
  headers: string;
  completion_window: string;
  /** JSON object. */
  metadata: string | null;
  /** How long its output files live; null = until they are deleted. */
  output_seconds: number | null;
  state: BatchState;
  /** Counts; while it runs only `total` is right. */
  total: number;
  succeeded: number;
  errored: number;
  cancelled: number;
  expired: number;
  /** JSON list of what is wrong with its lines. */
  errors: string | null;
  usage: string | null;
  /** Chosen before the files are made, so that a second try makes the same; shown once it has ended. */
  output_file_id: string | null;
  error_file_id: string | null;
  created_at: number;
  expires_at: number;
  in_progress_at: number | null;
  finalizing_at: number | null;
  completed_at: number | null;
  failed_at: number | null;
  expired_at: number | null;
  cancelling_at: number | null;
  cancelled_at: number | null;
  /** Nothing of it is open any more. */
  ended_at: number | null;
  deleted_at: number | null;
  /** Its results are not kept any more. */
  archived_at: number | null;
  lease_owner: string | null;
  /** By the database's clock. */
  lease_until: number | null;
}

/** `holding`: its money is being held, and nobody sees it yet. */
export type BatchState =
  | 'holding'
  | 'validating'
  | 'failed'
  | 'in_progress'
  | 'finalizing'
  | 'completed'
  | 'expired'
  | 'cancelling'
  | 'cancelled';

export interface BatchLinesTable {
  batch_id: string;
  /** From 0, in the order of the input. */
  position: number;
  custom_id: string;
  state: 'waiting' | 'running' | 'done';
  /** Of one that is done. */
  outcome: 'succeeded' | 'errored' | 'cancelled' | 'expired' | null;
  /** Where its body lies in the input. */
  body_start: number;
  body_end: number;
  /** What is held for it. */
  estimate: bigint;
  /** Raised by every claim: who had it before may not write. */
  attempt: number;
  /** Failures that count. */
  tries: number;
  /** The attempt whose answer counts. */
  answer: number | null;
  /** JSON, as in the request log. */
  usage: string | null;
  owner: string | null;
  /** By the database's clock. */
  lease_until: number | null;
  /** Milliseconds since 1970. */
  due_at: number;
}

/** Written before the line is charged. */
export interface BatchAnswersTable {
  batch_id: string;
  position: number;
  attempt: number;
  /** A line of the output or of the error file. */
  line: Uint8Array;
  usage: string | null;
  charge: bigint;
}

export interface Tables {
  accounts: AccountsTable;
  groups: GroupsTable;
  tokens: TokensTable;
  token_keys: TokenKeysTable;
  channels: ChannelsTable;
  channel_keys: ChannelKeysTable;
  channel_key_states: ChannelKeyStatesTable;
  channel_memory: ChannelMemoryTable;
  channel_calls: ChannelCallsTable;
  channel_key_calls: ChannelKeyCallsTable;
  channel_key_errors: ChannelKeyErrorsTable;
  models: ModelsTable;
  flags: FlagsTable;
  holds: HoldsTable;
  ledger: LedgerTable;
  requests: NumberedRequestsTable;
  request_bodies: RequestBodiesTable;
  usage_sums: UsageSumsTable;
  exports: ExportsTable;
  export_errors: ExportErrorsTable;
  operators: OperatorsTable;
  sessions: SessionsTable;
  sign_in_counts: SignInCountsTable;
  operator_keys: OperatorKeysTable;
  members: MembersTable;
  member_sessions: MemberSessionsTable;
  codes: CodesTable;
  audit: AuditTable;
  changes: ChangesTable;
  processes: ProcessesTable;
  gateway_runs: GatewayRunsTable;
  meta: MetaTable;
  responses: ResponsesTable;
  kept_responses: KeptResponsesTable;
  upstream_objects: UpstreamObjectsTable;
  background_calls: BackgroundCallsTable;
  price_versions: PriceVersionsTable;
  idempotency: IdempotencyTable;
  idempotency_pieces: IdempotencyPiecesTable;
  tasks: TasksTable;
  task_events: TaskEventsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  alerts: AlertsTable;
  alert_rules: AlertRulesTable;
  alert_sinks: AlertSinksTable;
  alert_deliveries: AlertDeliveriesTable;
  alert_duty: AlertDutyTable;
  files: FilesTable;
  batches: BatchesTable;
  batch_lines: BatchLinesTable;
  batch_answers: BatchAnswersTable;
}
