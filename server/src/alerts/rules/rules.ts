// Every rule of the contract, by its name.
import type { AlertRuleName } from '#contract/alert-rules.ts';
import type { Rule } from '../finding.ts';
import { balanceLow } from './balance-low.ts';
import { budgetUsed } from './budget-used.ts';
import { channelDown } from './channel-down.ts';
import { errorRate } from './error-rate.ts';
import { keyRejected } from './key-rejected.ts';
import { modelRetires } from './model-retires.ts';
import { spendSpike } from './spend-spike.ts';
import { storeSlow } from './store-slow.ts';
import { taskBacklog } from './task-backlog.ts';

export const rules: Readonly<Record<AlertRuleName, Rule>> = {
  channel_down: channelDown,
  key_rejected: keyRejected,
  error_rate: errorRate,
  balance_low: balanceLow,
  budget_used: budgetUsed,
  task_backlog: taskBacklog,
  store_slow: storeSlow,
  spend_spike: spendSpike,
  model_retires: modelRetires,
};
