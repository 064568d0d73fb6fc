// Rows that tests of alerts put into a store. Only tests import this folder.
import { alertTextsInChinese } from '#contract/alert-texts.ts';
import { findSentence } from '#contract/values/sentences.ts';
import { evaluateRule } from '../evaluate-rule.ts';
import type { AlertRuleName } from '#contract/alert-rules.ts';
import { type AlertRow, listAlerts } from '../../store/queries/alerts.ts';
import type { AlertSinkRow } from '../../store/queries/alert-sinks.ts';
import type { Store } from '../../store/store.ts';
import type { ChannelKeyStatesTable, ChannelMemoryTable, UsageSumsTable } from '../../store/tables.ts';
import { readRuleSettings } from '../rule-settings.ts';

/** Ten minutes past this hour: tables of usage have parts for the time to come. */
export const NOW = Math.floor(Date.now() / 3_600_000) * 3600 + 600;

export async function addChannel(store: Store, id: string, { keys = [`${id}-key`] }: { keys?: string[] } = {}) {
  await store.transaction(async (transaction) => {
    await transaction
      .insertInto('channels')
      .values({
        id,
        name: id.toUpperCase(),
        provider: 'openai',
        base_url: 'http://127.0.0.1:1',
        models: '{"m":"m"}',
        groups: null,
        priority: 0,
        weight: 1,
        status: 'enabled',
        headers: '{}',
        options: '{}',
        sandbox: 0,
        created_at: NOW,
      })
      .execute();
    for (const [position, key] of keys.entries())
      await transaction
        .insertInto('channel_keys')
        .values({ id: key, channel_id: id, position, ciphertext: '', hint: `sk-…${key}`, status: 'enabled' })
        .execute();
  });
}

export async function remember(store: Store, memory: Partial<ChannelMemoryTable> & { channel_id: string }) {
  const row: ChannelMemoryTable = {
    success_at: null,
    error_at: null,
    error_class: null,
    error_status: null,
    error_message: null,
    test_at: null,
    test_ok: null,
    test_status: null,
    test_ms: null,
    test_model: null,
    test_message: null,
    ...memory,
  };
  await store.transaction(async (transaction) => {
    await transaction.deleteFrom('channel_memory').where('channel_id', '=', row.channel_id).execute();
    await transaction.insertInto('channel_memory').values(row).execute();
  });
}

export async function rejectKey(
  store: Store,
  state: Partial<ChannelKeyStatesTable> & { channel_id: string; key_id: string },
) {
  const row: ChannelKeyStatesTable = {
    version: 1,
    out_since: NOW,
    out_until: NOW + 300,
    reason: '401: no such key.',
    probe_at: null,
    probe_ok: null,
    probe_message: null,
    ...state,
  };
  await store.transaction(async (transaction) => {
    await transaction
      .deleteFrom('channel_key_states')
      .where('channel_id', '=', row.channel_id)
      .where('key_id', '=', row.key_id)
      .execute();
    await transaction.insertInto('channel_key_states').values(row).execute();
  });
}

export async function addUsage(store: Store, sums: Partial<UsageSumsTable> & { account_id: string; bucket: number }) {
  const row: UsageSumsTable = {
    token_id: '',
    group_name: 'default',
    model: 'm',
    channel_id: '',
    mode: 'live',
    endpoint: '/v1/chat/completions',
    status: 200,
    requests: 1n,
    errors: 0n,
    input_tokens: 0n,
    output_tokens: 0n,
    milliseconds: 0n,
    images: 0n,
    amount: 0n,
    first_byte_ms: 0n,
    first_bytes: 0n,
    total_ms: 0n,
    ...sums,
  };
  await store.transaction((transaction) => transaction.insertInto('usage_sums').values(row).execute());
}

export function sinkRow(sink: Partial<AlertSinkRow> & { id: string }): AlertSinkRow {
  return {
    name: sink.id,
    kind: 'webhook',
    url: null,
    recipients: '[]',
    secret: null,
    rules: null,
    resolved: 1,
    language: 'en',
    status: 'enabled',
    created_at: NOW,
    ...sink,
  };
}

/** Details of these tests that upstreams wrote. */
const UPSTREAM_WORDS = new Set(['no connection', 'refused', '401: no such key.']);

/** Alerts are sent and shown in Chinese too (issue 34 point 10). */
function requireChinese(text: string): void {
  if (findSentence(alertTextsInChinese, text) === undefined)
    throw new Error(`contract/src/alert-texts.ts has no Chinese for: ${text}`);
}

/** One evaluation with the settings of the store; resolves with the open alerts of the rule. */
export function evaluator(store: Store) {
  const calmSince = new Map<string, number>();
  return async (
    rule: AlertRuleName,
    { now = NOW, writeTimes = [] }: { now?: number; writeTimes?: number[] } = {},
  ): Promise<AlertRow[]> => {
    const settings = (await readRuleSettings(store.reads)).get(rule);
    if (settings === undefined) throw new Error(`there is no rule ${rule}`);
    const surroundings = { currency: 'USD', withSandbox: true, writeTimes };
    await evaluateRule(store, { rule, settings, now: now * 1000, calmSince, surroundings });
    const alerts = await listAlerts(store.reads, { state: 'open', rule, limit: 100 });
    for (const { title, detail } of alerts) {
      requireChinese(title);
      if (!UPSTREAM_WORDS.has(detail)) requireChinese(detail);
    }
    return alerts;
  };
}
