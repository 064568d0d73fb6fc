// Why a model stopped.
export type FinishReason =
  /** It had said everything, or met a stop sequence. */
  | 'stop'
  /** The output limit was reached. */
  | 'length'
  | 'tool-calls'
  /** The provider withheld the answer. */
  | 'content-filter'
  /** The model declined. */
  | 'refusal'
  /** A long turn was interrupted and may be continued by sending it back. */
  | 'pause'
  /** It broke off with what nobody can use, such as a call that cannot be read. */
  | 'failed'
  | 'other';
