// Small rows that tests put into a store.
import type { HoldOperation, EndOperation } from '../store/ledger/operations.ts';
import type { Store } from '../store/store.ts';
import type { AccountsTable, RequestsTable, TokensTable } from '../store/tables.ts';

const AT = 1_760_000_000;

export async function addAccount(store: Store, account: Partial<AccountsTable> & { id: string }): Promise<void> {
  const row: AccountsTable = {
    name: account.id,
    group_name: 'default',
    status: 'active',
    models: null,
    balance: 0n,
    rate: '{}',
    budget: null,
    budget_period: null,
    budget_start: 0,
    external_id: null,
    budget_used: 0n,
    created_at: AT,
    ...account,
  };
  await store.transaction(async (transaction) => {
    await transaction
      .insertInto('accounts')
      .values({ ...row, balance: 0n })
      .execute();
    if (row.balance === 0n) return;
    await transaction.updateTable('accounts').set({ balance: row.balance }).where('id', '=', row.id).execute();
    await transaction
      .insertInto('ledger')
      .values({
        kind: 'credit',
        account_id: row.id,
        token_id: null,
        hold_id: null,
        request_id: null,
        task_id: null,
        amount: row.balance,
        balance_after: row.balance,
        mode: 'live',
        usage_source: null,
        note: 'fixture',
        author: 'test',
        created_at: AT,
      })
      .execute();
  });
}

export async function addToken(
  store: Store,
  token: Partial<TokensTable> & { id: string; account_id: string },
): Promise<void> {
  await store.transaction(async (transaction) => {
    await transaction
      .insertInto('tokens')
      .values({
        name: token.id,
        models: null,
        group_name: null,
        ip_allow: '[]',
        origins: '[]',
        quota: null,
        quota_period: null,
        period_start: 0,
        period_used: 0n,
        rate: '{"rpm":null,"tpm":null,"concurrency":null}',
        expires_at: null,
        mode: 'live',
        status: 'enabled',
        options: '{}',
        key_hint: 'sk-xx...xxxx',
        used: 0n,
        held: 0n,
        created_at: AT,
        ...token,
      })
      .execute();
  });
}

export function holdOperation(
  hold: { id: string; account_id: string; token_id: string; amount: bigint } & Partial<HoldOperation['hold']>,
): HoldOperation {
  return {
    kind: 'hold',
    hold: {
      request_id: hold.id,
      task_id: null,
      mode: 'live',
      price: '{}',
      owner: 'process',
      expires_at: AT + 900,
      created_at: AT,
      ...hold,
    },
  };
}

export function endOperation(holdId: string, charge: bigint | null): EndOperation {
  return {
    kind: 'end',
    holdId,
    charge,
    usageSource: charge === null ? null : 'upstream',
    at: AT + 1,
    note: null,
    request: null,
  };
}

/** A line of the request log. */
export function requestRow(request: Partial<RequestsTable> & { id: string }): RequestsTable {
  return {
    account_id: 'acc',
    token_id: 'tok',
    group_name: 'default',
    endpoint: '/v1/chat/completions',
    model: 'm',
    channel_id: null,
    status: 200,
    error_code: null,
    attempts: '[]',
    first_byte_ms: null,
    total_ms: 1,
    usage: null,
    usage_source: null,
    charge: 0n,
    arithmetic: null,
    mode: 'live',
    created_at: AT,
    ...request,
  };
}
