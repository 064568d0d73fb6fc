// What a rule finds wrong right now. An alert is open as long as its rule finds its subject.
import type { Thresholds } from '#contract/alert-rules.ts';
import type { Reads } from '../store/store.ts';
import type { AlertsTable } from '../store/tables.ts';

export interface Finding {
  kind: AlertsTable['subject_kind'];
  /** Its id: one alert at a time is open for it. */
  subject: string;
  title: string;
  detail: string;
}

export interface RuleContext {
  reads: Reads;
  /** Unix seconds. */
  now: number;
  thresholds: Thresholds;
  /** A word shown beside amounts. */
  currency: string;
  /** Are there channels of the sandbox? */
  withSandbox: boolean;
  /** Subjects with an open alert of this rule. */
  open: ReadonlySet<string>;
  /** How long the last writes to the store took. */
  writeTimes: readonly number[];
}

export interface Rule {
  find(context: RuleContext): Promise<Finding[]>;
  /** How often it is evaluated. */
  everySeconds: number;
  /** How long it must find nothing before an alert is resolved: figures go up and down. */
  calmSeconds?: number;
}

/** More than people can look at. */
export const MOST_FINDINGS = 200;

export function threshold({ thresholds }: Pick<RuleContext, 'thresholds'>, name: string): number {
  const value = thresholds[name];
  if (value === undefined) throw new Error(`there is no threshold ${name}`);
  return value;
}

/** An amount that operators set as a threshold, in nano-units. */
export function nanoOf(amount: number): bigint {
  return BigInt(Math.round(amount * 1e9));
}
