// What the operator API answers when it refuses, and the sentence to show for anything that went wrong.
import { errorAnswer } from '#contract/values/errors.ts';

export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string | null;
  /** The field at fault. */
  readonly param: string | null;
  readonly requestId: string | null;

  constructor(
    message: string,
    facts: { status: number; code: string | null; param: string | null; requestId: string | null },
  ) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.param = facts.param;
    this.requestId = facts.requestId;
  }
}

export async function readApiError(response: Response): Promise<ApiError> {
  const { status } = response;
  const requestId = response.headers.get('x-request-id');
  const read = errorAnswer.safeParse(await response.json().catch(() => null));
  if (!read.success)
    return new ApiError(`The gateway answered with status ${status}.`, { status, code: null, param: null, requestId });
  const { message, code, param } = read.data.error;
  return new ApiError(message, { status, code, param, requestId });
}

export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return 'The gateway cannot be reached. Check that it is running, then try again.';
  return error instanceof Error ? error.message : String(error);
}
