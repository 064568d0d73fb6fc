// Errors as each kind of public path answers them, in the OpenAPI document: one answer for each status, from the table of
// all codes. Ranges such as 4XX would be shorter, but generators of clients stumble over them.
import { errorCodes } from '../../errors/codes.ts';
import type { ErrorShape } from '../error-shapes.ts';
import { type Components, integer, orNull, ref, type Schema, text, whole } from './schema.ts';

const compatible = whole({ message: text(), type: text(), param: orNull(text('The field at fault')), code: text() });

export const errorComponents: Components = {
  ErrorAnswer: whole({ error: compatible }),
  ContentError: whole({ error: whole({ code: integer(), message: text(), status: text() }) }),
  VideoTaskError: whole({ code: text(), message: text(), data: { type: 'null' }, error: compatible }),
  CohereError: whole({ id: text(), message: text(), error: compatible }),
  KlingError: whole({ code: integer(), message: text(), request_id: text() }),
};

const SCHEMAS: Readonly<Record<ErrorShape, string>> = {
  compatible: 'ErrorAnswer',
  messages: 'MessageError',
  'generate-content': 'ContentError',
  'video-generations': 'VideoTaskError',
  kling: 'KlingError',
  cohere: 'CohereError',
};

/** Those that only the operator API has. */
const OF_OPERATORS: ReadonlySet<string> = new Set([
  'second_factor_required',
  'forbidden',
  'password_change_required',
  'csrf_token_invalid',
  'precondition_failed',
]);

const codesByStatus = new Map<number, string[]>();
for (const [code, { status }] of Object.entries(errorCodes)) {
  if (OF_OPERATORS.has(code)) continue;
  codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
}
const statuses = [...codesByStatus].sort(([one], [other]) => one - other);

/** `#/components/responses`. */
export const errorResponses: Readonly<Record<string, object>> = Object.fromEntries(
  Object.values(SCHEMAS).flatMap((schema) =>
    statuses.map(([status, codes]) => [`${schema}${status}`, responseOf(ref(schema), codes)]),
  ),
);

export function errorsOf(shape: ErrorShape): Record<string, object> {
  return Object.fromEntries(
    statuses.map(([status]) => [status, { $ref: `#/components/responses/${SCHEMAS[shape]}${status}` }]),
  );
}

function responseOf(schema: Schema, codes: readonly string[]): object {
  const description = `${codes.map((code) => `\`${code}\``).join(', ')}; docs/errors.md says what to do`;
  return { description, content: { 'application/json': { schema } } };
}
