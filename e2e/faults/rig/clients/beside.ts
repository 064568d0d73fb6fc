// Quick calls to two gateways in turns: one under the fault, and one beside it that shares nothing with it but the machine.
// What a busy machine adds, both feel.
import assert from 'node:assert/strict';
import type { Bench } from '../../command/fault.ts';
import { quantile } from './quantile.ts';
import type { Rig } from '../rig.ts';

export interface Pace {
  median: number;
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

async function callQuickly(rig: Rig, calls: number, wish: QuickCall): Promise<number[]> {
  const taken: number[] = [];
  for (let call = 0; call < calls; call++) taken.push(await timeOne(rig, wish));
  return taken;
}

async function timeOne(rig: Rig, wish: QuickCall): Promise<number> {
  const startedAt = performance.now();
  const { status, failure } = await rig.call(wish);
  assert.equal(status, 200, `a quick call ended with ${failure ?? status}`);
  return performance.now() - startedAt;
}

/** So many calls of each, one after another and by turns. */
export async function compare(
  tested: Rig,
  control: Rig,
  { calls, ...wish }: QuickCall & { calls: number },
): Promise<Compared> {
  const [there, beside]: [number[], number[]] = [[], []];
  for (let call = 0; call < calls; call++) {
    there.push(await timeOne(tested, wish));
    const { key: _, ...same } = wish;
    beside.push(await timeOne(control, same));
  }
  return { tested: paceOf(there), control: paceOf(beside) };
}

const paceOf = (taken: readonly number[]): Pace => ({ median: quantile(taken, 0.5), p99: quantile(taken, 0.99) });

export const inWords = ({ tested, control }: Compared): string =>
  `p50 ${tested.median.toFixed(0)} ms and p99 ${tested.p99.toFixed(0)} ms, beside it ${control.median.toFixed(0)} ms and ${control.p99.toFixed(0)} ms`;
