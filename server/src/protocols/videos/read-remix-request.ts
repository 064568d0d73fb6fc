// POST /v1/videos/{task_id}/remix, as JSON or as a form: the new prompt, and nothing else.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { Form } from '../../neutral/form.ts';
import { checkForm, formText } from '../json/form-request.ts';
import { ANY, readJsonBody, readValue, STRING, type WireFields } from '../json/json-request.ts';
import { WEBHOOK_FIELD } from '../video/video-request.ts';

export interface RemixFields {
  prompt: string;
  /** Names of the request's other fields, which mean nothing here. */
  unknown: readonly string[];
}

export const remixFields: WireFields = new Map([
  ['prompt', STRING],
  [WEBHOOK_FIELD, ANY],
]);

export function readRemixJson(body: Buffer): RemixFields {
  const json = readJsonBody(body, remixFields, [...remixFields.keys()]);
  const names = json.entries.filter(({ kind }) => kind !== 'null').map(({ name }) => name);
  return remixOf(readValue(json, 'prompt'), names);
}

export function readRemixForm(form: Form): RemixFields {
  checkForm(form, { known: new Set(remixFields.keys()), lists: new Set(), bracketed: /^$/ });
  return remixOf(
    formText(form, 'prompt'),
    form.parts.map(({ name }) => name),
  );
}

function remixOf(prompt: unknown, names: readonly string[]): RemixFields {
  if (typeof prompt !== 'string' || prompt.trim() === '') throw invalidRequest('prompt is required', 'prompt');
  return { prompt, unknown: [...new Set(names)].filter((name) => !remixFields.has(name)) };
}
