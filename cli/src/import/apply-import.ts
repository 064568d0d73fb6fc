// Puts a plan into the gateway: what is there already stays as it is, and money is credited by the difference to what earlier
// runs have credited. So a run that was cut off is finished by the next, and a second run changes nothing.
import type { Account } from '#contract/accounts.ts';
import type { PriceImportResult } from '#contract/price-import.ts';
import { formatAmount } from '../../../server/src/billing/money.ts';
import { callOperator } from '../connection.ts';
import { Refused } from '../refused.ts';
import { create, isConflict } from './careful-call.ts';
import { creditsBefore, findTokenByKey, type GatewayState, readState } from './gateway-state.ts';
import type {
  ImportPlan,
  NotTaken,
  PlannedAccount,
  PlannedChannel,
  PlannedGroup,
  PlannedToken,
} from './import-plan.ts';
import { runAll } from './run-all.ts';
import { hasKeys, hasVisibleKeys, isSameChannel } from './same-channel.ts';

const AT_ONCE = 4;
const MOST_PRICES = 2_000;
/** 9 digits before the point; one-api gives its first user more. */
const LARGEST_CREDIT = 999_999_999n * 1_000_000_000n;
const KEPT = { made: undefined, end: 'kept' } as const;

export const COUNTED = ['groups', 'models', 'channels', 'accounts', 'credits', 'tokens'] as const;
type Counted = (typeof COUNTED)[number];

type End = 'made' | 'kept' | 'refused';

export interface Outcome {
  made: Record<Counted, number>;
  kept: Record<Counted, number>;
  refused: Record<Counted, number>;
  /** What is there already and differs, or was refused. */
  left: NotTaken[];
  /** Credited by this and earlier runs, in nano-units. */
  sumAfter: bigint;
}

export async function applyImport(plan: ImportPlan, show: (done: number, of: number) => void): Promise<Outcome> {
  return new Carrier(plan, await readState(plan), show).run();
}

class Carrier {
  readonly #plan: ImportPlan;
  readonly #state: GatewayState;
  readonly #show: (done: number, of: number) => void;
  readonly #outcome: Outcome = { made: zeros(), kept: zeros(), refused: zeros(), left: [], sumAfter: 0n };
  readonly #accountIds = new Map<string, string>();
  readonly #newAccounts = new Set<string>();
  #done = 0;

  constructor(plan: ImportPlan, state: GatewayState, show: (done: number, of: number) => void) {
    this.#plan = plan;
    this.#state = state;
    this.#show = show;
  }

  async run(): Promise<Outcome> {
    const { groups, channels, accounts, tokens } = this.#plan;
    await runAll(groups, 1, (group) => this.#putGroup(group));
    await this.#putPrices();
    await runAll(channels, 1, (channel) => this.#putChannel(channel));
    await runAll(accounts, AT_ONCE, (account) => this.#putAccount(account));
    await runAll(tokens, AT_ONCE, (token) => this.#putToken(token));
    return this.#outcome;
  }

  #count(what: Counted, end: End): void {
    this.#outcome[end][what]++;
    if (what === 'credits') return;
    const { groups, models, channels, accounts, tokens } = this.#plan;
    this.#show(++this.#done, groups.length + models.length + channels.length + accounts.length + tokens.length);
  }

  #leave(kind: string, name: string, reason: string): void {
    this.#outcome.left.push({ kind, name, reason });
  }

  async #putGroup({ name, multiplier }: PlannedGroup): Promise<void> {
    const there = this.#state.groups.get(name);
    // A group nobody has touched, such as the first one, may get its factor.
    const isUntouched = there === undefined || (there.multiplier === '1' && there.models === null);
    const isSame = there !== undefined && there.multiplier === multiplier;
    if (!isSame && isUntouched) {
      const { description = '', etag } = there ?? {};
      await callOperator(`/groups/${encodeURIComponent(name)}`, {
        method: 'PUT',
        body: { multiplier, description },
        ...(etag !== undefined && { headers: { 'if-match': `"${etag}"` } }),
      });
    } else if (!isSame)
      this.#leave('group', name, `has the factor ${there.multiplier} here, not ${multiplier}; left as it is`);
    this.#count('groups', !isSame && isUntouched ? 'made' : 'kept');
  }

  /** In few calls: a gateway may have thousands. */
  async #putPrices(): Promise<void> {
    const rows = this.#plan.models.map(({ id, price }) => ({ model: id, price }));
    const send = (source: typeof rows, dryRun: boolean): Promise<PriceImportResult> =>
      callOperator('/prices/import', { method: 'POST', body: { source, create: true, dry_run: dryRun } });
    for (let at = 0; at < rows.length; at += MOST_PRICES) {
      const some = rows.slice(at, at + MOST_PRICES);
      const { changes } = await send(some, true);
      const wanted = new Set<string>();
      for (const { model, action, before } of changes) {
        const isNew = action === 'create' || (action === 'change' && before === null);
        if (isNew) wanted.add(model);
        else if (action === 'change') this.#leave('price', model, 'has another price here; left as it is');
      }
      const missing = some.filter(({ model }) => wanted.has(model));
      if (missing.length > 0) await send(missing, false);
      for (const { model } of some) this.#count('models', wanted.has(model) ? 'made' : 'kept');
    }
  }

  /** A name that a channel of somebody else has here gets the program's behind it. */
  async #putChannel(channel: PlannedChannel): Promise<void> {
    const names = [channel.name, `${channel.name.slice(0, 80)} (${this.#plan.program})`];
    const name = names.find((one) => {
      const there = this.#state.channels.get(one);
      return there === undefined || isSameChannel(there, channel);
    });
    const isFree = name !== undefined && !this.#state.channels.has(name);
    if (name === undefined) this.#leave('channel', channel.name, 'other channels have its name here; rename one there');
    else if (name !== channel.name && isFree)
      this.#leave('channel', channel.name, `is called "${name}": another channel has its name here`);
    const there = name === undefined ? undefined : this.#state.channels.get(name);
    if (there !== undefined && hasVisibleKeys(channel) && !hasKeys(there, channel))
      this.#leave('channel', channel.name, 'is there with other keys; left as it is');
    this.#count('channels', isFree ? (await this.#create('/channels', { ...channel, name })).end : 'kept');
  }

  async #putAccount(planned: PlannedAccount): Promise<void> {
    const { externalId, fields } = planned;
    const there = this.#state.accounts.get(externalId);
    const { made, end } = there === undefined ? await this.#create('/accounts', fields) : KEPT;
    const { id } = there ?? made ?? (await findAccount(externalId));
    this.#accountIds.set(externalId, id);
    if (made !== undefined) this.#newAccounts.add(externalId);
    await this.#credit(planned, id, made !== undefined);
    this.#count('accounts', end);
  }

  async #credit(
    { externalId, balance, arithmetic, fields }: PlannedAccount,
    id: string,
    isNew: boolean,
  ): Promise<void> {
    if (balance === null) return;
    const mark = `import ${externalId}: `;
    const before = isNew ? { count: 0, sum: 0n } : await creditsBefore(id, mark);
    this.#outcome.sumAfter += before.sum;
    let missing = balance - before.sum;
    if (missing === 0n && balance !== 0n) this.#count('credits', 'kept');
    for (let count = before.count; missing !== 0n; count++) {
      const part = missing > LARGEST_CREDIT ? LARGEST_CREDIT : missing < -LARGEST_CREDIT ? -LARGEST_CREDIT : missing;
      const body = { amount: formatAmount(part), note: `${mark}${arithmetic}`.slice(0, 500) };
      try {
        await create(`/accounts/${id}/credits`, body, ['credit', id, count, body]);
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 400) throw error;
        this.#leave('money', fields.name, `${body.amount} could not be booked: ${error.message}`);
        this.#count('credits', 'refused');
        return;
      }
      this.#outcome.sumAfter += part;
      this.#count('credits', 'made');
      missing -= part;
    }
  }

  async #putToken(planned: PlannedToken): Promise<void> {
    const accountId = this.#accountIds.get(planned.account) ?? '';
    const fields = { ...planned.fields, account_id: accountId };
    const isFirst = this.#newAccounts.has(planned.account);
    const before = isFirst ? undefined : await findTokenByKey(planned);
    const { end } = before === undefined ? await this.#create('/tokens', fields) : KEPT;
    const there = isFirst && end === 'kept' ? await findTokenByKey(planned) : before;
    if (there !== undefined && there.account_id !== accountId)
      this.#leave('token', fields.name, `its key belongs to token ${there.id} of another account here; left as it is`);
    else if (there?.status === 'disabled' && fields.status !== 'disabled')
      this.#leave('token', fields.name, `token ${there.id} is disabled or removed here; left as it is`);
    this.#count('tokens', end);
  }

  /** A row that cannot be made as it is does not hold up the others. */
  async #create(path: string, body: { name: string }): Promise<{ made?: { id: string } | undefined; end: End }> {
    try {
      return { made: await create<{ id: string }>(path, body), end: 'made' };
    } catch (error) {
      if (isConflict(error)) return KEPT;
      if (!(error instanceof Refused) || error.status !== 400) throw error;
      this.#leave(path.slice(1, -1), body.name, `was refused: ${error.message}`);
      return { made: undefined, end: 'refused' };
    }
  }
}

async function findAccount(externalId: string): Promise<Account> {
  const { data } = await callOperator<{ data: Account[] }>('/accounts', { query: { external_id: externalId } });
  const [account] = data;
  if (account === undefined) throw new Refused(`the account ${externalId} cannot be made and is not there.`);
  return account;
}

function zeros(): Record<Counted, number> {
  return { groups: 0, models: 0, channels: 0, accounts: 0, credits: 0, tokens: 0 };
}
