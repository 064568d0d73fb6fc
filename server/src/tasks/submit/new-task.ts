// The row of a task that is about to be submitted, and the hold that goes with it.
import { tooLow } from '../../billing/ledger.ts';
import type { Principal } from '../../access/principal.ts';
import type { VideoPlan } from '../../providers/video-provider.ts';
import { makeOrderedId, randomLetters } from '../../shared/ids.ts';
import { plainText } from '../../shared/plain-text.ts';
import type { TaskRow } from '../../store/queries/tasks.ts';
import type { TaskDependencies } from '../dependencies.ts';
import type { TaskPrice } from '../task-bill.ts';

export interface NewTask {
  requestId: string;
  endpoint: string;
  principal: Principal;
  model: string;
  plan: VideoPlan;
  price: TaskPrice;
  webhookUrl: string | undefined;
  /** Seconds that the submit may take, over all channels. */
  leaseSeconds: number;
}

/** What nobody finished by then is given up and its money released. */
const DEADLINE_SECONDS = 24 * 3_600;
/** After the provider's own expiry, which is what ends a task in the ordinary way. */
const EXPIRY_MARGIN_SECONDS = 600;
/** Seconds that no video has are the provider's to refuse, and are not shown. */
const LONGEST_SHOWN = 86_400;
const ID_LETTERS = 32;

/** Resolves when row and hold are durable; throws 402 when balance or quota does not cover it. */
export async function createTask(dependencies: TaskDependencies, request: NewTask): Promise<TaskRow> {
  const task = rowOf(dependencies, request, await dependencies.store.now());
  const result = await dependencies.store.commit({
    kind: 'hold',
    hold: {
      id: task.id,
      request_id: null,
      task_id: task.id,
      account_id: task.account_id,
      token_id: task.token_id,
      amount: task.hold,
      mode: task.mode,
      price: task.price,
      owner: dependencies.owner,
      expires_at: task.deadline,
      created_at: task.created_at,
    },
    task,
  });
  if (result !== 'held')
    throw await tooLow(dependencies.store, result, { ...request.principal, amount: task.hold, at: task.created_at });
  return task;
}

function rowOf({ clock, owner }: TaskDependencies, request: NewTask, databaseNow: number): TaskRow {
  const { principal, plan } = request;
  const now = clock.now();
  const at = Math.floor(now / 1000);
  const lifetime = plan.expiresAfter === undefined ? DEADLINE_SECONDS : plan.expiresAfter + EXPIRY_MARGIN_SECONDS;
  return {
    id: makeTaskId(now),
    account_id: principal.accountId,
    token_id: principal.tokenId,
    group_name: principal.group,
    mode: principal.mode,
    request_id: request.requestId,
    endpoint: request.endpoint,
    model: request.model,
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
    sent: JSON.stringify(plan.sent),
    told: '{}',
    seconds: plan.seconds === undefined || plan.seconds > LONGEST_SHOWN ? null : Math.round(plan.seconds),
    size: plan.size === undefined ? null : plainText(plan.size, 100),
    hold: request.price.amount,
    charge: null,
    arithmetic: null,
    price: request.price.text,
    version: 1,
    lease_owner: owner,
    lease_until: databaseNow + request.leaseSeconds,
    next_poll_at: now,
    poll_failures: 0,
    videoless: 0,
    refused_since: null,
    deadline: at + lifetime,
    webhook_url: request.webhookUrl ?? null,
    archived: 0,
    archive_at: 0,
    archive_tries: 0,
    deleted_at: null,
    created_at: at,
    updated_at: at,
    completed_at: null,
  };
}

/** `task_` and 32 letters and digits, of which the first tell the time: ids made later sort later. */
function makeTaskId(now: number): string {
  const id = makeOrderedId('task', now);
  return id + randomLetters(ID_LETTERS + 'task_'.length - id.length);
}
