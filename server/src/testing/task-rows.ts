// Rows of video tasks that tests put into a store.
import type { EndOperation, HoldOperation, RequestRow, TaskRow } from '../store/ledger/operations.ts';
import { endOperation, holdOperation } from './fixtures.ts';

const AT = 1_760_000_000;

export function taskRow(task: Partial<TaskRow> & { id: string }): TaskRow {
  return {
    account_id: 'acc',
    token_id: 'tok',
    group_name: 'default',
    mode: 'live',
    request_id: `req_${task.id}`,
    endpoint: '/v1/videos',
    model: 'video-1',
    channel_id: null,
    key_id: null,
    upstream_id: null,
    handle: null,
    upstream_model: null,
    sent_at: null,
    state: 'CREATED',
    progress: 0,
    result_url: null,
    fail_reason: null,
    error_code: null,
    sent: '{}',
    told: '{}',
    seconds: 5,
    size: null,
    hold: 100n,
    charge: null,
    arithmetic: null,
    price: '{"price":{"unit":"second","amount":"1"},"multiplier":"1"}',
    version: 1,
    lease_owner: null,
    lease_until: null,
    next_poll_at: AT * 1000,
    poll_failures: 0,
    videoless: 0,
    refused_since: null,
    deadline: AT + 86_400,
    webhook_url: null,
    archived: 0,
    archive_at: 0,
    archive_tries: 0,
    deleted_at: null,
    created_at: AT,
    updated_at: AT,
    completed_at: null,
    ...task,
  };
}

/** Hold and row of a task, as they are made together. */
export function taskHold(task: TaskRow): HoldOperation {
  const { id, account_id, token_id, hold: amount } = task;
  return { ...holdOperation({ id, account_id, token_id, amount, request_id: null, task_id: id }), task };
}

export function taskEnd(row: TaskRow, charge: bigint | null): EndOperation {
  const state = charge === null ? 'FAILURE' : 'SUCCESS';
  const ended: TaskRow = { ...row, state, charge, version: row.version + 1, updated_at: AT + 9, completed_at: AT + 9 };
  return { ...endOperation(row.id, charge), task: { row: ended, delivery: null } };
}

/** The log's line of a submit that was taken. */
export function requestRow(id: string): RequestRow {
  return {
    id,
    account_id: 'acc',
    token_id: 'tok',
    group_name: 'default',
    endpoint: '/v1/videos',
    model: 'video-1',
    channel_id: 'ch',
    status: 200,
    error_code: null,
    attempts: '[]',
    first_byte_ms: null,
    total_ms: 0,
    usage: null,
    usage_source: null,
    charge: 0n,
    arithmetic: null,
    mode: 'live',
    created_at: AT,
  };
}
