// What every route of the operator API says about itself in the OpenAPI document, and the parameters routes share.
import { z } from 'zod';
import { errorAnswer } from '#contract/values/errors.ts';
import { id, requestId } from '#contract/values/text.ts';

export function operation(tag: string, summary: string) {
  return { tags: [tag], summary, security: [{ operatorKey: [] }, { operatorSession: [] }] };
}

export const failures = { 400: errorAnswer, 401: errorAnswer, 403: errorAnswer };
/** Lists may take too long to read. */
export const failuresOfList = { ...failures, 503: errorAnswer };
export const failuresOfOne = { ...failures, 404: errorAnswer };
export const failuresOfName = { ...failuresOfOne, 409: errorAnswer };

export const done = z.undefined().meta({ description: 'Done' });

export const idParams = z.strictObject({ id });
export const requestParams = z.strictObject({ id: requestId });
