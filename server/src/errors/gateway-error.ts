// The one error that becomes an answer: a code of the table, and what is particular to this case.
import { errorCodes, type ErrorCode } from './codes.ts';

export interface GatewayErrorDetails {
  /** What the caller reads; the code's own sentence when absent. Never holds a secret or an upstream address. */
  message?: string;
  /** The field of the request that is wrong. */
  param?: string;
  /** Seconds, sent as Retry-After. */
  retryAfter?: number;
  /** Status and code of an upstream that refused the request, handed on as they are. */
  status?: number;
  upstreamCode?: string;
  /** Further answer headers, such as Allow. */
  headers?: Record<string, string>;
  cause?: unknown;
}

export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly details: GatewayErrorDetails;
  /** Its request has a line in the request log. */
  isLogged = false;

  constructor(code: ErrorCode, details: GatewayErrorDetails = {}) {
    super(details.message ?? errorCodes[code].message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return this.details.status ?? errorCodes[this.code].status;
  }

  get type(): string {
    return errorCodes[this.code].type;
  }

  /** The code the caller sees: an upstream's own where it refused the request, else ours. */
  get publicCode(): string {
    return this.details.upstreamCode ?? this.code;
  }
}

/** A request whose field is missing, of the wrong type or out of range. */
export function invalidRequest(message: string, param?: string): GatewayError {
  return new GatewayError('invalid_request', param === undefined ? { message } : { message, param });
}
