// Quick calls to two gateways in turns: one under the fault, and one beside it that shares nothing with it but the machine.
// What a busy machine adds, both feel.
import assert from 'node:assert/strict';
import type { Bench } from '../../command/fault.ts';
import { quantile } from './quantile.ts';
import type { Rig } from '../rig.ts';

export interface Pace {
  median: number;
  p95: number;
  p99: number;
}

export interface Compared {
  tested: Pace;
  control: Pace;
}

/** A gateway of its own, on a database of its own, that nothing happens to. */
export async function startControl(bench: Bench): Promise<Rig> {
  const control = await bench.startRig({ gateways: 1 });
  await callQuickly(control, 30, {});
  return control;
}

export interface QuickCall {
  key?: string;
  stream?: boolean;
}

async function callQuickly(rig: Rig, calls: number, options: QuickCall): Promise<number[]> {
  const taken: number[] = [];
  for (let call = 0; call < calls; call++) taken.push(await timeOne(rig, options));
  return taken;
}

async function timeOne(rig: Rig, options: QuickCall): Promise<number> {
  const startedAt = performance.now();
  const { status, failure } = await rig.call(options);
  assert.equal(status, 200, `a quick call ended with ${failure ?? status}`);
  return performance.now() - startedAt;
}

/** So many calls of each, one after another and by turns. */
export async function compare(
  tested: Rig,
  control: Rig,
  { calls, ...options }: QuickCall & { calls: number },
): Promise<Compared> {
  const [there, beside]: [number[], number[]] = [[], []];
  for (let call = 0; call < calls; call++) {
    there.push(await timeOne(tested, options));
    const { key: _, ...same } = options;
    beside.push(await timeOne(control, same));
  }
  return { tested: paceOf(there), control: paceOf(beside) };
}

const paceOf = (taken: readonly number[]): Pace => ({
  median: quantile(taken, 0.5),
  p95: quantile(taken, 0.95),
  p99: quantile(taken, 0.99),
});

const figuresOf = ({ median, p95, p99 }: Pace): string => [median, p95, p99].map((ms) => ms.toFixed(0)).join(', ');

export const inWords = ({ tested, control }: Compared): string =>
  `p50, p95 and p99 ${figuresOf(tested)} ms, of a gateway beside it ${figuresOf(control)} ms`;
