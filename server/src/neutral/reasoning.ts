// Some protocols say how hard to think in words, others in tokens. One table stands between them.
import type { Effort, ReasoningRequest } from './generation.ts';

const BUDGETS: Record<Effort, number> = {
  none: 0,
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
};

/** The words that every model that reasons understands; the others depend on the model, so no budget becomes one. */
const USUAL_EFFORTS = ['low', 'medium', 'high'] as const satisfies Effort[];

/** undefined when the caller left it to the model. */
export function effortOf({ effort, budget }: ReasoningRequest): Effort | undefined {
  if (effort !== undefined) return effort;
  if (budget === undefined || budget < 0) return undefined;
  if (budget === 0) return 'none';
  return USUAL_EFFORTS.find((one) => BUDGETS[one] >= budget) ?? 'high';
}

/** Tokens; undefined when the caller left it to the model. */
export function budgetOf({ effort, budget }: ReasoningRequest): number | undefined {
  if (budget !== undefined) return budget < 0 ? undefined : budget;
  return effort === undefined ? undefined : BUDGETS[effort];
}
