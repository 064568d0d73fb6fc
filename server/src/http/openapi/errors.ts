// Errors as each kind of public path answers them, in the OpenAPI document.
import type { ErrorShape } from '../error-shapes.ts';
import { type Components, integer, orNull, ref, type Schema, text, whole } from './schema.ts';

const compatible = whole({ message: text(), type: text(), param: orNull(text('The field at fault')), code: text() });

export const errorComponents: Components = {
  ErrorAnswer: whole({ error: compatible }),
  ContentError: whole({ error: whole({ code: integer(), message: text(), status: text() }) }),
  VideoTaskError: whole({ code: text(), message: text(), data: { type: 'null' }, error: compatible }),
};

export const errorSchemas: Readonly<Record<ErrorShape, Schema>> = {
  compatible: ref('ErrorAnswer'),
  messages: ref('MessageError'),
  'generate-content': ref('ContentError'),
  'video-generations': ref('VideoTaskError'),
};
