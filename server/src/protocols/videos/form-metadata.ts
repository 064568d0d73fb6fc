// `metadata` in a form: one JSON text, or field by field as vendors' clients flatten objects and lists:
// `metadata[duration]`, `metadata[media][0][type]`, `metadata[media][][type]`.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { Form, FormPart } from '../../neutral/form.ts';
import { formText, sizeOf } from '../json/form-request.ts';

const FIELD = 'metadata';
const NAME = /^metadata((?:\[[^[\]]*\])+)$/;
/** Deeper than anything that a provider takes. */
const MOST_DEPTH = 8;
/** Of a list; its places are filled from the first on. */
const POSITION = /^(?:0|[1-9]\d{0,3})$/;

/** While it is read, a list is a branch too: what it is shows only when all its names are known. */
type Branch = Map<string, Branch | string>;

export function isMetadataName(name: string): boolean {
  return name.startsWith(`${FIELD}[`);
}

/** The text of all of it, or an object of texts. */
export function readFormMetadata(form: Form): unknown {
  const whole = formText(form, FIELD);
  const parts = form.parts.filter(({ name }) => isMetadataName(name));
  if (whole !== undefined && parts.length > 0) throw givenTwice(FIELD);
  if (whole !== undefined) return whole;
  const root: Branch = new Map();
  for (const part of parts) addPart(root, part, form);
  return valueOf(root, false);
}

function addPart(root: Branch, part: FormPart, form: Form): void {
  if (part.filename !== undefined) throw invalidRequest(`'${part.name}' must be a text field, not a file.`, FIELD);
  if (sizeOf(part) === 0) return;
  const keys = keysOf(part.name);
  const last = keys.pop() ?? '';
  let branch = root;
  for (const [depth, key] of keys.entries()) {
    const name = key === '' ? openIndex(branch, [...keys.slice(depth + 1), last]) : key;
    const next = branch.get(name) ?? new Map<string, Branch | string>();
    if (typeof next === 'string') throw givenTwice(part.name);
    branch.set(name, next);
    branch = next;
  }
  const name = last === '' ? String(branch.size) : last;
  if (branch.has(name)) throw givenTwice(part.name);
  branch.set(name, form.text(part));
}

function keysOf(name: string): string[] {
  const brackets = NAME.exec(name)?.[1];
  const keys = brackets?.slice(1, -1).split('][') ?? [];
  if (keys.length === 0 || keys[0] === '' || keys.length > MOST_DEPTH)
    throw invalidRequest(
      `'${name.slice(0, 200)}' cannot be read: write metadata[name][0][name], at most ${MOST_DEPTH} deep, or send 'metadata' as one JSON text.`,
      FIELD,
    );
  return keys;
}

/** `[]` before other keys means the last item of the list, or a new one when that has the field already. */
function openIndex(list: Branch, rest: readonly string[]): string {
  const last = String(Math.max(0, list.size - 1));
  let position: Branch | string | undefined = list.get(last);
  for (const key of rest) position = position instanceof Map && key !== '' ? position.get(key) : undefined;
  return position === undefined ? last : String(list.size);
}

/** Names that count up from 0 are the places of a list. */
function valueOf(branch: Branch, mayBeList: boolean): unknown {
  const entries = [...branch].map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? value : valueOf(value, true),
  ]);
  if (mayBeList && entries.every(([name]) => POSITION.test(name) && Number(name) < entries.length))
    return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value);
  return Object.fromEntries(entries);
}

function givenTwice(name: string): Error {
  return invalidRequest(`'${name.slice(0, 200)}' is given more than once.`, FIELD);
}
