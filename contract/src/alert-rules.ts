// The rules of alerts: what each looks for, and the thresholds that operators may move. The gateway, the console and the
// command line read them from here.
import { z } from 'zod';

export const alertRuleName = z.enum([
  'channel_down',
  'key_rejected',
  'error_rate',
  'balance_low',
  'budget_used',
  'task_backlog',
  'store_slow',
  'spend_spike',
  'model_retires',
]);
export type AlertRuleName = z.infer<typeof alertRuleName>;

export interface Threshold {
  /** For people. */
  label: string;
  /** Empty where the label says it. */
  unit: string;
  value: number;
  least: number;
  most: number;
  /** May it have digits behind the point? */
  isWhole: boolean;
}

export interface RuleFacts {
  title: string;
  description: string;
  severity: 'critical' | 'warning';
  thresholds: Readonly<Record<string, Threshold>>;
}

const whole = (label: string, unit: string, [value, least, most]: [number, number, number]): Threshold => ({
  label,
  unit,
  value,
  least,
  most,
  isWhole: true,
});
const decimal = (...of: Parameters<typeof whole>): Threshold => ({ ...whole(...of), isWhole: false });

export const alertRules: Readonly<Record<AlertRuleName, RuleFacts>> = {
  channel_down: {
    title: 'Channel down',
    description: 'A channel does not answer, or none of its keys is accepted',
    severity: 'critical',
    thresholds: {
      failures: whole('Failed calls', '', [3, 1, 1000]),
      seconds: whole('Without an answer', 's', [15, 0, 3600]),
    },
  },
  key_rejected: {
    title: 'Key rejected',
    description: 'An upstream rejects a key of a channel',
    severity: 'warning',
    thresholds: {},
  },
  error_rate: {
    title: 'Error rate',
    description: 'Too many requests for a model end with a server error',
    severity: 'critical',
    thresholds: {
      percent: decimal('Failed', '%', [20, 0.1, 100]),
      minutes: whole('Window', 'min', [5, 1, 60]),
      requests: whole('Requests at least', '', [20, 1, 100_000]),
    },
  },
  balance_low: {
    title: 'Balance low',
    description: 'The balance of an account does not last for long at its pace of the last 24 hours',
    severity: 'warning',
    thresholds: {
      days: whole('Lasts less than', 'days', [3, 1, 365]),
      amount: decimal('Or below this amount (0 = off)', '', [0, 0, 100_000_000]),
    },
  },
  budget_used: {
    title: 'Budget used',
    description: 'An account has used most of its budget',
    severity: 'warning',
    thresholds: { percent: decimal('Used', '%', [90, 1, 100]) },
  },
  task_backlog: {
    title: 'Task backlog',
    description: 'Video tasks are stuck, or too many are unfinished',
    severity: 'warning',
    thresholds: {
      stuck: whole('Stuck tasks', '', [1, 1, 100]),
      tasks: whole('Unfinished tasks', '', [500, 1, 1_000_000]),
    },
  },
  store_slow: {
    title: 'Store slow',
    description: 'Writes to the database take long',
    severity: 'critical',
    thresholds: { milliseconds: whole('A write takes', 'ms', [2000, 10, 60_000]) },
  },
  spend_spike: {
    title: 'Spend spike',
    description: 'An account spends far more in an hour than in the seven days before',
    severity: 'warning',
    thresholds: {
      factor: decimal('Times the mean hour', '', [5, 1.1, 1000]),
      amount: decimal('Amount at least', '', [10, 0, 100_000_000]),
    },
  },
  model_retires: {
    title: 'Model retires',
    description: 'A vendor retires a model that is offered',
    severity: 'warning',
    thresholds: { days: whole('Days before', '', [14, 0, 365]) },
  },
};

export type Thresholds = Record<string, number>;

export function defaultThresholds(rule: AlertRuleName): Thresholds {
  return Object.fromEntries(Object.entries(alertRules[rule].thresholds).map(([name, { value }]) => [name, value]));
}

/** What is wrong with thresholds of a rule, with the name of the field; undefined = nothing. */
export function thresholdProblem(
  rule: AlertRuleName,
  given: Thresholds,
): { name: string; sentence: string } | undefined {
  const known = alertRules[rule].thresholds;
  for (const [name, value] of Object.entries(given)) {
    const threshold = known[name];
    if (threshold === undefined) {
      const names = Object.keys(known).join(', ') || 'none';
      return { name, sentence: `is not a threshold of ${rule}; known here: ${names}` };
    }
    const { least, most, isWhole } = threshold;
    if (value < least || value > most) return { name, sentence: `must be from ${least} to ${most}` };
    if (isWhole && !Number.isInteger(value)) return { name, sentence: 'must be a whole number' };
  }
  return undefined;
}
