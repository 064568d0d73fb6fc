// What the operator API answers when it refuses, and the sentence to show for anything that went wrong.
import { errorAnswer } from '#contract/values/errors.ts';
import { t } from '../i18n/t.ts';
import { explainError } from './error-help.ts';

export interface Conflict {
  /** Method and path of the change. */
  target: string;
  path: string;
  /** What was to be saved. */
  body: unknown;
}

export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string | null;
  /** The field at fault. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** Somebody has changed the same thing meanwhile. */
  readonly conflict: Conflict | undefined;

  constructor(
    message: string,
    facts: { status: number; code: string | null; param: string | null; requestId: string | null },
    conflict?: Conflict,
  ) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.param = facts.param;
    this.requestId = facts.requestId;
    this.conflict = conflict;
  }
}

export async function readApiError(response: Response, conflict?: Conflict): Promise<ApiError> {
  const { status } = response;
  const requestId = response.headers.get('x-request-id');
  const read = errorAnswer.safeParse(await response.json().catch(() => null));
  if (!read.success)
    return new ApiError(t('The gateway answered with status {status}.', { status: String(status) }), {
      status,
      code: null,
      param: null,
      requestId,
    });
  const { message, code, param } = read.data.error;
  return new ApiError(message, { status, code, param, requestId }, conflict);
}

export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return explainError(error.message, error.code);
  if (error instanceof TypeError) return t('The gateway cannot be reached. Check that it is running, then try again.');
  return error instanceof Error ? error.message : String(error);
}
