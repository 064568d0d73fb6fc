// How a call to an upstream can fail. Providers say which it was; routing decides by it alone what happens next.
export type FailureClass =
  /** It refused the content of the request: no other channel would take it. */
  | 'refused'
  /** It does not accept our key. */
  | 'unauthorised'
  /** It asks us to slow down. */
  | 'limited'
  /** It failed by its own account (5xx). */
  | 'overloaded'
  | 'timed-out'
  /** No connection, or it broke. */
  | 'unreachable'
  /** It answered something that is not the protocol. */
  | 'malformed'
  /** We ended the call: the client left, or the whole request's time was over. */
  | 'aborted';
