// Why the sandbox refuses a call. Apart from the protocols, so that checks of fields need none of them.

/** Why a call is refused; the protocol gives the words that are missing here. */
export type Failure = {
  status: number;
  message?: string;
  param?: string;
  code?: string;
  retryAfterSeconds?: number;
  /** Methods for the `allow` header of a 405. */
  allow?: string;
  /** What a protocol tells beside the message, in its own shape. */
  details?: readonly object[];
};

export class Refusal extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message ?? `refused with ${failure.status}`);
    this.failure = failure;
  }
}
