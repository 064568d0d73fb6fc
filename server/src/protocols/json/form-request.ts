// What all protocols with a form body share: a field stands once, as text or as a file, or the request is refused by name.
// The form that was read is what is sent.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type Form, type FormPart, PICTURE_FIELD } from '../../neutral/form.ts';
import { refuseLookalike } from './json-request.ts';
import type { RequestTarget, StoredBody } from '../protocol.ts';
import { formTexts } from './write-json.ts';

export interface FormRules {
  /** Names that mean something here; other spellings of them are refused. */
  known: ReadonlySet<string>;
  /** Names that may stand more than once; besides them, those with `[]`. */
  lists: ReadonlySet<string>;
  /** Known names with brackets, where there are any. */
  bracketed?: RegExp;
}

/** Each name has one value, or is a list to every reader. */
export function checkForm(form: Form, { known, lists, bracketed }: FormRules): void {
  const seen = new Set<string>();
  for (const { name } of form.parts) {
    if (!known.has(name) && bracketed?.test(name) !== true) refuseSpelling(name, known);
    if (seen.has(name) && !lists.has(name) && !name.includes('[]')) {
      const [base = ''] = name.split('[', 1);
      throw invalidRequest(`'${name.slice(0, 200)}' is given more than once.`, known.has(base) ? base : name);
    }
    seen.add(name);
  }
}

/** Readers of forms take `n[]`, `n[0]` and ` n` for `n`, and `response.format` for `response_format`. */
function refuseSpelling(name: string, known: ReadonlySet<string>): void {
  refuseLookalike(name, known);
  const folded = baseOf(name);
  if (known.has(folded)) throw invalidRequest(`'${name.slice(0, 200)}' must be written '${folded}'.`, folded);
}

/** The text of a field, undefined when absent or empty. A file in its place would be another thing to the upstream. */
export function formText(form: Form, name: string): string | undefined {
  const part = textPart(form, name);
  return part && form.text(part);
}

/** The same of a field that may be a picture. */
export async function formPicture(form: Form, name: string): Promise<string | undefined> {
  const part = textPart(form, name);
  return part && readPicture(form, part);
}

function textPart(form: Form, name: string): FormPart | undefined {
  const part = form.parts.find((one) => one.name === name);
  if (part?.filename !== undefined) throw invalidRequest(`'${name}' must be a text field, not a file.`, name);
  return part === undefined || sizeOf(part) === 0 ? undefined : part;
}

export async function readPicture(form: Form, { valueStart, valueEnd }: FormPart): Promise<string> {
  return (await form.read(valueStart, valueEnd)).toString('utf8');
}

export function requireFormText(form: Form, name: string): string {
  const text = formText(form, name);
  if (text === undefined) throw invalidRequest(`'${name}' is required.`, name);
  return text;
}

export function requireFormFile(form: Form, name: string): FormPart {
  const part = form.parts.find((one) => one.name === name);
  if (part === undefined) throw invalidRequest(`'${name}' is required.`, name);
  if (part.filename === undefined) throw invalidRequest(`'${name}' must be a file.`, name);
  if (sizeOf(part) === 0) throw invalidRequest(`'${name}' is an empty file.`, name);
  return part;
}

/** A whole number from 1 on; undefined when absent. */
export function formWhole(form: Form, name: string, max: number): number | undefined {
  const text = formText(form, name);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= max) return Number(text);
  throw invalidRequest(`'${name}' must be a whole number from 1 to ${max}.`, name);
}

/** Upstreams differ in what else they take for true, so only what all of them read alike is let through. */
export function formFlag(form: Form, name: string): boolean {
  const text = formText(form, name);
  if (text === undefined) return false;
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  throw invalidRequest(`'${name}' must be true or false.`, name);
}

export function sizeOf({ valueStart, valueEnd }: FormPart): number {
  return valueEnd - valueStart;
}

/** A file, or a picture given as text. */
export function isMedia({ name, filename }: FormPart): boolean {
  return filename !== undefined || PICTURE_FIELD.test(name);
}

/** Bytes of all fields that are text. */
export function formTextBytes(form: Form): number {
  return form.parts.reduce((sum, part) => sum + (isMedia(part) ? 0 : sizeOf(part)), 0);
}

/** Names that have no part with a value: clients leave fields empty that they do not set, which upstreams would refuse. */
function emptyFields(form: Form): string[] {
  const given = new Set(form.parts.filter((part) => part.filename !== undefined || sizeOf(part) > 0).map(nameOf));
  return [...new Set(form.parts.map(nameOf))].filter((name) => !given.has(name));
}

/** The name as the laxest readers of forms take it. */
function baseOf(name: string): string {
  const [base = ''] = name.toUpperCase().toLowerCase().split('[', 1);
  return base.trim().replace(/[\s.]/gu, '_');
}

function nameOf({ name }: FormPart): string {
  return name;
}

/** By its own name, or by that of the list or object that it is a part of. */
function isNamed(name: string, fields: readonly string[]): boolean {
  return fields.includes(name) || fields.includes(baseOf(name));
}

/** The form for a channel: its name of the model, without the fields that are empty or that it filters out. */
export function writeForm(
  { form, model, fixed }: { form: Form; model: string; fixed: ReadonlySet<string> },
  { upstreamModel, dropFields, rewrite = {} }: RequestTarget,
): StoredBody {
  const set: Record<string, string> = {
    ...(upstreamModel !== model && { model: upstreamModel }),
    ...formTexts(rewrite),
  };
  for (const name of rewrite.remove ?? []) delete set[name];
  const dropped = form.parts.map(nameOf).filter((name) => isNamed(name, dropFields) && !isNamed(name, [...fixed]));
  const body = form.rewrite({
    set,
    remove: [...new Set([...dropped, ...emptyFields(form), ...(rewrite.remove ?? [])])],
  });
  return { contentType: body.contentType, length: body.length, open: () => body.open() };
}
