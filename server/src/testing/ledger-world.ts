// A gateway's money in miniature, for properties: processes that hold, settle, crash and come back too late, on tables in
// memory that change only by what the ledger's rules decide. Everything follows from the given steps.
import assert from 'node:assert/strict';
import type { Allowance } from '../store/ledger/allowance.ts';
import { endOrphan, writeCheckpoint } from '../store/ledger/checkpoint.ts';
import { decide, type NewLedgerEntry } from '../store/ledger/decide.ts';
import type { HoldEnd, LedgerState, TokenMoney } from '../store/ledger/ledger-state.ts';
import { type HoldRow, type LedgerOperation, ORPHANED, type RequestRow } from '../store/ledger/operations.ts';
import { endOperation, holdOperation } from './fixtures.ts';

export type StepKind =
  | 'begin'
  | 'finish'
  | 'fail'
  | 'progress'
  | 'commit'
  | 'lose-answer'
  | 'lose-batch'
  | 'crash'
  | 'come-back'
  | 'sweep'
  | 'reprice'
  | 'credit'
  | 'wait';

export interface Step {
  kind: StepKind;
  /** Which process, token or call is meant, and how much. */
  which: number;
  size: number;
}

interface Call {
  id: string;
  units: number;
  /** In force when it began. */
  price: bigint;
}

interface Process {
  name: string;
  alive: boolean;
  queue: LedgerOperation[];
  calls: Call[];
}

const PROCESSES = 2;
const TOKENS = 4;
const HOUR = 3_600;

export class LedgerWorld {
  readonly accounts = new Map<string, bigint>();
  readonly granted = new Map<string, bigint>();
  readonly budgets = new Map<string, Allowance>();
  readonly tokens = new Map<string, TokenMoney>();
  readonly holds = new Map<string, HoldRow>();
  readonly checkpoints = new Map<string, string>();
  readonly entries: NewLedgerEntry[] = [];
  readonly #everHeld = new Map<string, HoldRow>();
  readonly #ended = new Map<string, HoldEnd>();
  readonly #charged = new Map<string, bigint>();
  /** What a hold may be charged: its settles and its checkpoints, at the price of its beginning. */
  readonly #mayCost = new Map<string, Set<bigint>>();
  #processes: Process[] = [];
  readonly #dead: Process[] = [];
  #price = 3n;
  #now = 1_772_000_000;
  #names = 0;

  constructor() {
    for (const id of ['acc0', 'acc1']) {
      this.accounts.set(id, 500n);
      this.granted.set(id, 500n);
    }
    this.budgets.set('acc1', { limit: 300n, period: 'day', start: this.#now, used: 0n });
    const none = { used: 0n, held: 0n };
    this.tokens.set('tok0', { quota: null, ...none });
    this.tokens.set('tok1', { quota: 200n, ...none });
    this.tokens.set('tok2', { quota: null, ...none });
    const weekly: Allowance = { limit: 150n, period: 'week', start: this.#now, used: 0n };
    this.tokens.set('tok3', { quota: null, allowance: weekly, ...none });
    this.#processes = Array.from({ length: PROCESSES }, () => this.#start());
  }

  take({ kind, which, size }: Step): void {
    const process = this.#processes[which % PROCESSES];
    assert.ok(process);
    const call = process.calls[size % Math.max(1, process.calls.length)];
    switch (kind) {
      case 'begin':
        return this.#begin(process, which % TOKENS, 1 + (size % 40));
      case 'finish':
        // Now and then an answer exceeds its estimate.
        return call === undefined ? undefined : this.#finish(process, call, size % (call.units + 2));
      case 'fail':
        return call === undefined ? undefined : this.#end(process, call, null);
      case 'progress':
        return call === undefined ? undefined : this.#progress(process, call, size % (call.units + 1));
      case 'commit':
        this.#commit(process.queue.splice(0));
        return undefined;
      case 'lose-answer': // committed, but nobody heard: all of it is sent again
        this.#commit([...process.queue]);
        return undefined;
      case 'lose-batch':
        return undefined;
      case 'crash':
        return this.#crash(which % PROCESSES);
      case 'come-back':
        return this.#comeBack(which);
      case 'sweep':
        return this.#sweep();
      case 'reprice':
        this.#price = BigInt(1 + (size % 9));
        return undefined;
      case 'credit':
        return this.#credit(`acc${which % 2}`, BigInt((size % 100) - 30));
      case 'wait':
        this.#now += (size % 40) * HOUR;
        return undefined;
    }
  }

  /** Everything comes to rest: what runs ends, what is lost is swept. */
  rest(): void {
    for (let index = 0; index < PROCESSES; index++) this.#crash(index);
    for (const process of this.#dead.splice(0)) this.#commit(process.queue);
    this.#sweep();
    assert.equal(this.holds.size, 0, 'a hold stays open');
  }

  /** What must be true at every moment (promises M-02, M-03, M-04, M-11, M-13). */
  check(): void {
    const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, one) => total + one, 0n);
    for (const [id, balance] of this.accounts) {
      const own = this.entries.filter((entry) => entry.account_id === id && entry.mode === 'live');
      const spent = sum(own.filter((entry) => entry.kind === 'settle').map((entry) => entry.amount));
      const held = sum([...this.holds.values()].filter((hold) => hold.account_id === id).map((hold) => hold.amount));
      assert.equal(this.granted.get(id), balance + held + spent, `${id}: granted = balance + held + spent`);
      assert.equal(own.at(-1)?.balance_after ?? balance, balance, `${id}: the last line shows the balance`);
      assert.ok(balance >= 0n || this.#exceeded(id), `${id}: oversold`);
    }
    for (const [id, token] of this.tokens) {
      const settles = this.entries.filter((entry) => entry.token_id === id && entry.kind === 'settle');
      assert.equal(token.used, sum(settles.map((entry) => entry.amount)), `${id}: used`);
      const open = [...this.holds.values()].filter((hold) => hold.token_id === id);
      assert.equal(token.held, sum(open.map((hold) => hold.amount)), `${id}: held`);
      const ofToken = (hold: HoldRow): boolean => hold.token_id === id;
      if (token.allowance !== undefined) this.#checkAllowance(id, token.allowance, ofToken);
      if (token.quota !== null && !this.#exceeded(undefined, id))
        assert.ok(token.used + token.held <= token.quota, `${id}: above its quota`);
    }
    for (const [id, budget] of this.budgets) this.#checkAllowance(id, budget, (hold) => hold.account_id === id);
    this.#checkEnds();
  }

  #checkAllowance(id: string, { start, used, limit }: Allowance, concerns: (hold: HoldRow) => boolean): void {
    let expected = 0n;
    let excess = false;
    for (const hold of this.#everHeld.values()) {
      if (!concerns(hold) || hold.created_at < start) continue;
      const cost = this.holds.has(hold.id) ? hold.amount : (this.#charged.get(hold.id) ?? 0n);
      excess ||= cost > hold.amount;
      expected += cost;
    }
    assert.equal(used, expected, `${id}: used in the period`);
    assert.ok(excess || used <= limit, `${id}: above its limit`);
  }

  #checkEnds(): void {
    const lines = Map.groupBy(
      this.entries.filter((entry) => entry.kind !== 'credit'),
      (entry) => entry.hold_id ?? '',
    );
    for (const [id, own] of lines) {
      const amounts = (kind: NewLedgerEntry['kind']): bigint[] =>
        own.filter((entry) => entry.kind === kind).map((entry) => entry.amount);
      const [holds, settles, releases] = [amounts('hold'), amounts('settle'), amounts('release')];
      assert.equal(holds.length, 1, `${id}: one hold`);
      assert.ok(settles.length <= 1 && releases.length <= 1, `${id}: ended twice`);
      const [held = 0n, settled = 0n, released = 0n] = [holds[0], settles[0], releases[0]];
      if (settles.length + releases.length === 0) assert.ok(this.holds.has(id), `${id}: neither open nor ended`);
      else assert.equal(released, settled > held ? 0n : held - settled, `${id}: hold = settle + release`);
      if (settles.length === 1)
        assert.ok(this.#mayCost.get(id)?.has(settled), `${id}: ${settled} is no price of its beginning`);
    }
  }

  #exceeded(accountId: string | undefined, tokenId?: string): boolean {
    return [...this.#everHeld.values()].some(
      (hold) =>
        (accountId === undefined || hold.account_id === accountId) &&
        (tokenId === undefined || hold.token_id === tokenId) &&
        (this.#charged.get(hold.id) ?? 0n) > hold.amount,
    );
  }

  #start(): Process {
    return { name: `p${++this.#names}`, alive: true, queue: [], calls: [] };
  }

  #begin(process: Process, token: number, units: number): void {
    const id = `h${++this.#names}`;
    const price = this.#price;
    const [account_id, token_id, amount] = [`acc${token % 2}`, `tok${token}`, BigInt(units) * price];
    const { name: owner } = process;
    process.queue.push(holdOperation({ id, account_id, token_id, amount, owner, created_at: this.#now }));
    process.calls.push({ id, units, price });
    this.#mayCost.set(id, new Set());
  }

  #finish(process: Process, call: Call, units: number): void {
    const charge = BigInt(units) * call.price;
    this.#mayCost.get(call.id)?.add(charge);
    this.#end(process, call, charge);
  }

  #end(process: Process, call: Call, charge: bigint | null): void {
    process.calls = process.calls.filter((one) => one !== call);
    process.queue.push({ ...endOperation(call.id, charge), at: this.#now });
  }

  #progress(process: Process, call: Call, units: number): void {
    const charge = BigInt(units) * call.price;
    this.#mayCost.get(call.id)?.add(charge);
    const checkpoint = writeCheckpoint({ id: call.id, charge, usage_source: 'counted' } as RequestRow);
    process.queue.push({ kind: 'checkpoint', holdId: call.id, checkpoint });
  }

  #crash(index: number): void {
    const process = this.#processes[index];
    if (process === undefined) return;
    process.alive = false;
    this.#dead.push(process);
    this.#processes[index] = this.#start();
  }

  /** One that was only asleep sends what it still had to say. */
  #comeBack(which: number): void {
    const process = this.#dead[which % Math.max(1, this.#dead.length)];
    if (process === undefined) return;
    this.#commit(process.queue.splice(0));
  }

  #sweep(): void {
    const living = new Set(this.#processes.map(({ name }) => name));
    const orphans = [...this.holds.values()].filter((hold) => !living.has(hold.owner));
    this.#commit(orphans.map(({ id }) => endOrphan(id, this.checkpoints.get(id) ?? null, this.#now)));
  }

  #credit(id: string, amount: bigint): void {
    const balance = (this.accounts.get(id) ?? 0n) + amount;
    if (amount === 0n || (amount < 0n && balance < 0n)) return;
    this.accounts.set(id, balance);
    this.granted.set(id, (this.granted.get(id) ?? 0n) + amount);
    const { hold } = holdOperation({ id: '', account_id: id, token_id: '', amount });
    const { account_id, mode, created_at } = hold;
    const none = { token_id: null, hold_id: null, request_id: null, task_id: null, usage_source: null, note: null };
    this.entries.push({
      kind: 'credit',
      account_id,
      amount,
      balance_after: balance,
      mode,
      ...none,
      author: 'x',
      created_at,
    });
  }

  #commit(operations: readonly LedgerOperation[]): void {
    if (operations.length === 0) return;
    const state: LedgerState = {
      balances: new Map(this.accounts),
      budgets: new Map(this.budgets),
      caps: new Map(),
      tokens: new Map(this.tokens),
      holds: new Map(this.holds),
      ended: new Map(this.#ended),
      tasks: new Map(),
    };
    const { writes } = decide(state, operations);
    for (const [id, balance] of writes.balances) this.accounts.set(id, balance);
    for (const [id, budget] of writes.budgets) this.budgets.set(id, budget);
    for (const [id, token] of writes.tokens) this.tokens.set(id, token);
    for (const [id, hold] of writes.newHolds) this.holds.set(id, hold);
    for (const [id, checkpoint] of writes.checkpoints) if (this.holds.has(id)) this.checkpoints.set(id, checkpoint);
    for (const id of writes.endedHolds) {
      assert.ok(this.holds.delete(id), `${id} is ended before it is there`);
      this.checkpoints.delete(id);
    }
    for (const entry of writes.entries) this.#write(entry, operations);
  }

  #write(entry: NewLedgerEntry, operations: readonly LedgerOperation[]): void {
    const id = entry.hold_id ?? '';
    const twice = this.entries.some((other) => other.hold_id === id && other.kind === entry.kind);
    assert.ok(!twice, `${id}: the database refuses a second ${entry.kind}`);
    this.entries.push(entry);
    if (entry.kind === 'hold') {
      const made = operations.find((operation) => operation.kind === 'hold' && operation.hold.id === id);
      if (made?.kind === 'hold') this.#everHeld.set(id, { ...made.hold, created_at: entry.created_at });
    }
    if (entry.kind === 'settle') {
      this.#charged.set(id, entry.amount);
      this.#ended.set(id, entry.note === ORPHANED ? 'released' : 'settled');
    }
    if (entry.kind === 'release' && !this.#ended.has(id)) this.#ended.set(id, 'released');
  }
}
