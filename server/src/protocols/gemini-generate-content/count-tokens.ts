// :countTokens: a prompt, bare or in a whole request, of which only the size is reported.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type JsonObject, partOf } from '../../shared/json-fields.ts';
import { rewriteJsonObject } from '../../shared/json-rewrite.ts';
import { OBJECT, readJsonBody } from '../json/json-request.ts';
import { withRewrite } from '../json/write-json.ts';
import type { RequestTarget } from '../protocol.ts';
import { checkMessages } from './check-messages.ts';
import { checkModel, type ContentRequest, readContentRequest, writeContentRequest } from './read-request.ts';
import { foreignSignaturesIn } from './foreign-signatures.ts';
import { findField, refuseAmbiguous, scanInner } from './spelling.ts';
import { contentFields } from './wire.ts';

const WHOLE = 'generateContentRequest';
export const countFields = new Map([...contentFields, [WHOLE, OBJECT], ['generate_content_request', OBJECT]]);

export interface CountRequest extends ContentRequest {
  /** The request whose prompt is counted, as bytes. */
  prompt: Buffer;
  write(target: RequestTarget): Buffer;
}

/** Throws invalid_request that names the field. */
export function readCountRequest(bytes: Buffer, model: string): CountRequest {
  const json = readJsonBody(bytes, countFields, []);
  refuseAmbiguous(json, countFields);
  const whole = findField(json, WHOLE);
  if (whole === undefined) {
    const request = readContentRequest(bytes, model);
    return { ...request, prompt: bytes, write: (target) => writeContentRequest(request, target) };
  }
  if (findField(json, 'contents') !== undefined)
    throw invalidRequest(`'contents' and '${WHOLE}' may not both be given.`, 'contents');
  const prompt = partOf(json, whole.valueStart, whole.valueEnd);
  const inner = scanInner(prompt, WHOLE, contentFields);
  checkModel(inner, model, `${WHOLE}.`);
  checkMessages(inner, `${WHOLE}.`);
  const signatures = foreignSignaturesIn(inner);
  return {
    json: inner,
    signatures,
    maxOutputTokens: undefined,
    choices: 1,
    inputBytes: prompt.length - json.opaque.bytes,
    mediaCount: json.opaque.count,
    refersElsewhere: false,
    prompt,
    write: (target) => writeWhole(json, { json: inner, signatures }, target),
  };
}

function writeWhole(
  json: JsonObject,
  inner: Pick<ContentRequest, 'json' | 'signatures'>,
  target: RequestTarget,
): Buffer {
  const spelling = json.fields.has(WHOLE) ? WHOLE : 'generate_content_request';
  const { rewrite, ...ofInner } = target;
  const set = { [spelling]: writeContentRequest(inner, ofInner).toString('utf8') };
  return rewriteJsonObject(json, withRewrite({ set }, rewrite));
}

export function writeTokenCount(totalTokens: number): Buffer {
  return Buffer.from(JSON.stringify({ totalTokens }));
}
