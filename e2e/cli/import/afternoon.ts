// What somebody who runs new-api has: 30 channels, 500 tokens, 300 models, users and history, with every kind of row that the
// real program writes.
import type { Tables } from './new-api-schema.ts';

export const TOKENS = 500;
export const CHANNELS = 30;
export const MODELS = 300;
export const LOGS = 2_000;
const USERS = 80;
const NOW = 1_795_000_000;

/** Addresses of the simulated upstreams, as new-api has them: without the version. */
export interface Upstreams {
  openai: string;
  anthropic: string;
  gemini: string;
  /** Text of a service account's file. */
  serviceAccount: string;
}

export const keyOf = (token: number): string =>
  `${String(token).padStart(6, '0')}${'abcdefghij'.repeat(5)}`.slice(0, 48);
const model = (at: number): string => `model-${at}`;

/** Tokens of special kinds, by their id. */
export const SPECIAL = {
  disabled: 401,
  expired: 402,
  exhausted: 403,
  limited: 404,
  listed: 405,
  address: 406,
  elsewhere: 407,
  badAddress: 408,
  vip: 409,
  auto: 410,
  deleted: 411,
  orphan: 412,
  owing: 413,
} as const;

export function afternoon(upstreams: Upstreams): Tables {
  return {
    users: users(),
    tokens: tokens(),
    channels: channels(upstreams),
    options: options(),
    logs: logs(),
    redemptions,
  };
}

const redemptions = [{ id: 1, user_id: 1, key: 'code', status: 1, quota: 500_000 }];

function users(): Tables[string] {
  return Array.from({ length: USERS }, (_, at) => ({
    id: at + 1,
    username: at === 0 ? 'root' : `user${at + 1}`,
    password: '$2a$10$hash',
    role: at === 0 ? 100 : 1,
    status: at === 5 ? 2 : 1,
    email: '',
    // 9,999,999 is no whole number of cents: 19.999998.
    // The first user of one-api has 1,000,000,000 from the start.
    quota: at === 0 ? 500_000_000_000_000 : at === 7 ? -250_000 : at === 8 ? 0 : 9_999_999 + at,
    used_quota: 12_345,
    group: at % 10 === 3 ? 'vip' : 'default',
    aff_quota: at === 2 ? 1_000 : 0,
    deleted_at: at === 9 ? '2026-01-01 00:00:00+00:00' : null,
    created_at: NOW,
  }));
}

function tokens(): Tables[string] {
  const special: Record<number, Tables[string][number]> = {
    [SPECIAL.disabled]: { status: 2 },
    [SPECIAL.expired]: { status: 3, expired_time: NOW - 100_000_000 },
    [SPECIAL.exhausted]: { status: 4, unlimited_quota: false, remain_quota: 0 },
    [SPECIAL.limited]: { unlimited_quota: false, remain_quota: 1_234_567, expired_time: NOW + 100_000_000 },
    [SPECIAL.listed]: { model_limits_enabled: true, model_limits: 'model-1,model-2' },
    [SPECIAL.address]: { allow_ips: '127.0.0.1\n::1\n10.0.0.0/8' },
    [SPECIAL.elsewhere]: { allow_ips: '192.0.2.1' },
    [SPECIAL.badAddress]: { allow_ips: 'my-office' },
    [SPECIAL.vip]: { group: 'vip' },
    [SPECIAL.auto]: { group: 'auto', cross_group_retry: true },
    [SPECIAL.deleted]: { deleted_at: '2026-01-01 00:00:00+00:00' },
    [SPECIAL.orphan]: { user_id: 9_999 },
    [SPECIAL.owing]: { user_id: 8 },
  };
  return Array.from({ length: TOKENS }, (_, at) => ({
    id: at + 1,
    user_id: [1, 2, 3, 4, 5, 7, 11, 12, 13, 14, 15][at % 11] ?? 1,
    key: keyOf(at + 1),
    status: 1,
    name: at % 7 === 0 ? 'same name' : `token ${at + 1}; it's "mine"\\`,
    created_time: NOW,
    expired_time: -1,
    remain_quota: 0,
    unlimited_quota: true,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    used_quota: 5,
    group: '',
    cross_group_retry: false,
    deleted_at: null,
    ...special[at + 1],
  }));
}

/** Models 1 to 290 are carried by ordinary channels, ten each; the rest by the special ones. */
function channels({ openai, anthropic, gemini, serviceAccount }: Upstreams): Tables[string] {
  const ten = (from: number): string => Array.from({ length: 10 }, (_, at) => model(from + at)).join(',');
  // The simulated upstreams have every model whose name begins with sandbox-.
  const mapping = JSON.stringify(
    Object.fromEntries(Array.from({ length: MODELS }, (_, at) => [model(at + 1), `sandbox-${at + 1}`])),
  );
  const special: Record<number, Tables[string][number]> = {
    2: { key: 'key-2-a\nkey-2-b\nkey-2-c', channel_info: '{"is_multi_key":true,"multi_key_status_list":{"1":2}}' },
    3: { model_mapping: '{"model-21":"alias-21","alias-21":"sandbox-by-two-steps"}', group: 'default,vip' },
    4: { name: 'channel 3', header_override: '{"x-team":"blue","authorization":"Bearer {api_key}"}' },
    5: { type: 14, base_url: anthropic },
    6: { type: 24, base_url: gemini },
    7: { type: 8, base_url: `${openai}/v1/chat/completions` },
    8: { status: 2, priority: 5 },
    9: {
      status: 3,
      param_override: '{"temperature":0}',
      setting: '{"proxy":"socks5://127.0.0.1:1","system_prompt":"Be kind."}',
    },
    10: { type: 60, open_ai_organization: 'org-1', weight: 3 },
    11: { models: 'model-101,model-91' },
    20: { type: 41, key: '{"type":"service_account"}', other: 'global', models: 'model-201' },
    22: { type: 3, base_url: 'https://my.openai.azure.com', other: '2024-10-21', models: 'model-291,gpt-4.1' },
    23: { type: 33, key: 'AKIA1|secret1|us-east-1\nAKIA2|secret2|eu-west-1', base_url: '', models: 'model-292' },
    24: { type: 41, key: serviceAccount, other: '{"default":"us-central1"}', base_url: '', models: 'model-293' },
    25: { type: 50, key: 'access|secret', base_url: '', models: 'kling-v2' },
    26: { type: 40, base_url: '', models: 'model-294,BAAI/bge-reranker-v2-m3' },
    27: { type: 2, base_url: '', models: 'mj_imagine' },
    28: { type: 37, base_url: '', models: 'dify-app' },
    29: { type: 45, base_url: '', models: 'model-295,model-296' },
    30: { type: 26, base_url: 'glm-coding-plan', models: 'model-297,model-298,model-299,model-300' },
  };
  return Array.from({ length: CHANNELS }, (_, at) => ({
    id: at + 1,
    type: 1,
    key: `upstream-key-${at + 1}`,
    status: 1,
    name: `channel ${at + 1}`,
    weight: 0,
    created_time: NOW,
    base_url: openai,
    other: '',
    balance: 0,
    models: ten(at * 10 + 1),
    group: 'default,vip',
    used_quota: 0,
    model_mapping: mapping,
    priority: 0,
    setting: '{}',
    channel_info: '{"is_multi_key":false}',
    settings: '',
    // 20 channels of ten models, and one that has the rest.
    ...(at === 20 && { models: Array.from({ length: 100 }, (__, one) => model(191 + one)).join(',') }),
    ...special[at + 1],
  }));
}

function options(): Tables[string] {
  const ratios = Object.fromEntries(Array.from({ length: MODELS }, (_, at) => [model(at + 1), 0.25 * (at + 1)]));
  const values: Record<string, unknown> = {
    QuotaPerUnit: '500000',
    ModelRatio: { ...ratios, 'gpt-4.1': 1, 'model-300': undefined, 'BAAI/bge-reranker-v2-m3': 0.01 },
    CompletionRatio: { 'model-1': 4, 'model-2': 1.5 },
    ModelPrice: { 'model-10': 0.04, 'kling-v2': 0.35 },
    CacheRatio: { 'model-1': 0.5 },
    CreateCacheRatio: { 'model-1': 1.25 },
    ImageRatio: { 'model-2': 2 },
    AudioRatio: { 'model-2': 16 },
    AudioCompletionRatio: { 'model-2': 2 },
    GroupRatio: { default: 1, vip: 0.8, 'svip!': 2 },
    GroupGroupRatio: { vip: { default: 0.9 } },
  };
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

function logs(): Tables[string] {
  return Array.from({ length: LOGS }, (_, at) => ({
    id: at + 1,
    user_id: 1,
    created_at: NOW,
    type: 2,
    content: `it's; a "line"\nand another \\`,
    username: 'root',
    token_name: 'token 1',
    model_name: 'model-1',
    quota: 100,
    prompt_tokens: 10,
    completion_tokens: 10,
  }));
}
