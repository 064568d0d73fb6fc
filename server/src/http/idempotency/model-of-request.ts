// The model that a request names, read only when an answer kept for another request is about to be given again.
import { formText } from '../../protocols/json/form-request.ts';
import { DEFAULT_MODEL } from '../../protocols/openai-moderations/read-request.ts';
import type { Form } from '../../neutral/form.ts';
import { JsonSyntaxError, readField, scanJsonObject } from '../../shared/json-fields.ts';

const IN_PATH = /^\/v1beta\/models\//;

/** undefined where the request has none, such as the cancellation of a stored response. */
export function modelOfRequest(path: string, wildcard: string, body: Buffer | Form): string | undefined {
  if (IN_PATH.test(path)) {
    const mark = wildcard.lastIndexOf(':');
    return mark === -1 ? wildcard : wildcard.slice(0, mark);
  }
  const named = Buffer.isBuffer(body) ? modelInJson(body) : formText(body, 'model');
  return named ?? (path === '/v1/moderations' ? DEFAULT_MODEL : undefined);
}

function modelInJson(body: Buffer): string | undefined {
  try {
    const model = readField(scanJsonObject(body), 'model');
    return typeof model === 'string' ? model : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined; // such a request has no answer that is kept
    throw error;
  }
}
