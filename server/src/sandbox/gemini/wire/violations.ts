// How the real service refuses what a request says: one sentence each, the first ones also as details.
import { Refusal } from '../../refusal.ts';

export type Violation = { field?: string; description: string };

const shownViolations = 50;

export function refuseViolations(violations: readonly Violation[]): never {
  const shown = violations.slice(0, shownViolations);
  throw new Refusal({
    status: 400,
    message: shown.map(({ description }) => description).join('\n'),
    details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: shown }],
  });
}

/** A refusal without details. */
export function refuseArgument(message: string): never {
  throw new Refusal({ status: 400, message });
}
