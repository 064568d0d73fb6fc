// The adding up of usage that cards and charts need.
import type { UsageKey, UsageRow } from '#contract/usage.ts';

export interface Total {
  requests: number;
  errors: number;
  inputTokens: number;
  outputTokens: number;
  images: number;
  seconds: number;
  amount: number;
  /** Mean, weighted by requests. */
  firstByteMs: number | null;
  totalMs: number | null;
}

export function addUp(rows: UsageRow[]): Total {
  const total = { requests: 0, errors: 0, inputTokens: 0, outputTokens: 0, images: 0, seconds: 0, amount: 0 };
  const first = new Mean();
  const whole = new Mean();
  for (const row of rows) {
    total.requests += row.requests;
    total.errors += row.errors;
    total.inputTokens += row.input_tokens;
    total.outputTokens += row.output_tokens;
    total.images += row.images;
    total.seconds += row.seconds;
    total.amount += Number(row.amount); // for display only; exact sums are the ledger's
    first.add(row.first_byte_ms, row.requests - row.errors);
    whole.add(row.total_ms, row.requests);
  }
  return { ...total, firstByteMs: first.value, totalMs: whole.value };
}

/** Rows under one name each, the largest spender first. */
export function groupRows(rows: UsageRow[], by: UsageKey): { key: string; total: Total; rows: UsageRow[] }[] {
  return [...Map.groupBy(rows, (row) => row[by] ?? '')]
    .map(([key, own]) => ({ key, rows: own, total: addUp(own) }))
    .sort((a, b) => b.total.amount - a.total.amount || b.total.requests - a.total.requests);
}

class Mean {
  #sum = 0;
  #weight = 0;

  add(value: number | null, weight: number): void {
    if (value === null || weight <= 0) return;
    this.#sum += value * weight;
    this.#weight += weight;
  }

  get value(): number | null {
    return this.#weight === 0 ? null : this.#sum / this.#weight;
  }
}
