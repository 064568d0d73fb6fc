// Whether the store takes writes: what became of the last one. `/readyz` and refused callers say why not (contract-2 10).
import { GatewayError } from '../errors/gateway-error.ts';

/** Why a database did not take a write, as a sentence without its full stop; undefined when what was written is at fault. */
export type WriteFaultOf = (error: unknown) => string | undefined;

/** A full or read-only database needs a person, so clients need not ask every moment. */
const RETRY_SECONDS = 10;

export class WriteHealth {
  readonly #faultOf: WriteFaultOf;
  #problem: string | undefined;

  constructor(faultOf: WriteFaultOf) {
    this.#faultOf = faultOf;
  }

  /** Why the last write failed; undefined as soon as one has succeeded. */
  get problem(): string | undefined {
    return this.#problem;
  }

  succeeded(): void {
    this.#problem = undefined;
  }

  /** Says what the caller is to be answered: the error itself where the database is not at fault. */
  failed(error: unknown): unknown {
    const fault = this.#faultOf(error);
    if (fault === undefined) return error;
    this.#problem = fault;
    return cannotWrite(fault, error);
  }
}

export function cannotWrite(fault: string, cause: unknown): GatewayError {
  return new GatewayError('overloaded', {
    message: `The gateway cannot save this request: ${fault}. Retry later.`,
    retryAfter: RETRY_SECONDS,
    cause,
  });
}
