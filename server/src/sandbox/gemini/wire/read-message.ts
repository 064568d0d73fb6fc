// Reads JSON as the real service does, by the message types of its protocol buffers: either spelling of a name, one value
// where a list belongs, null for absent. What does not fit is gathered and refused together, in the real words.
import { isObject, type WireObject } from '../../fields/refuse.ts';
import { type Field, type Fields, snakeCase } from './field-types.ts';
import { readScalar } from './read-scalar.ts';
import { refuseViolations, type Violation } from './violations.ts';

type Reading = { violations: Violation[]; nodesLeft: number };
type Position = { at: string; depth: number };

const depthLimit = 100;
const nodeLimit = 100_000;
const payload = 'Invalid JSON payload received.';

/** The fields by their camelCase names. */
export function readMessage(body: unknown, fields: Fields): WireObject {
  const reading: Reading = { violations: [], nodesLeft: nodeLimit };
  if (!isObject(body)) {
    refuseViolations([{ description: `${payload} Unknown name "": Root element must be a message.` }]);
  }
  const message = readFields(body, { fields, oneof: [] }, { at: '', depth: 0 }, reading);
  if (reading.violations.length > 0) refuseViolations(reading.violations);
  return message;
}

type MessageType = { fields: Fields; oneof: readonly string[] };

function readFields(given: WireObject, type: MessageType, position: Position, reading: Reading): WireObject {
  const { at, depth } = position;
  reading.nodesLeft -= 1;
  if (depth > depthLimit || reading.nodesLeft < 0) {
    refuseViolations([{ description: `${payload} Message too deep. Max recursion depth reached for key '${at}'.` }]);
  }
  const message: WireObject = {};
  let chosen: string | undefined;
  for (const [written, value] of Object.entries(given)) {
    const name = findName(type.fields, written);
    const field = name === undefined ? undefined : type.fields[name];
    if (name === undefined || field === undefined) {
      reading.violations.push(describe(written, at, 'Cannot find field.'));
      continue;
    }
    if (value === null) continue;
    if (type.oneof.includes(name)) {
      if (chosen !== undefined) {
        const description = `Invalid value at '${at}' (oneof), oneof field 'data' is already set. Cannot set '${name}'`;
        reading.violations.push({ ...(at === '' ? {} : { field: at }), description });
      }
      chosen = name;
    }
    if (Array.isArray(value) && !takesList(field)) {
      reading.violations.push(describe(written, at, 'Proto field is not repeating, cannot start list.'));
      continue;
    }
    message[name] = readField(value, field, { at: joinPath(at, name), depth: depth + 1 }, reading);
  }
  return message;
}

function readField(value: unknown, field: Field, position: Position, reading: Reading): unknown {
  const { at, depth } = position;
  switch (field.kind) {
    case 'list': {
      if (!Array.isArray(value)) return [readField(value, field.of, position, reading)];
      return value.map((one: unknown, index) =>
        readField(one, field.of, { at: `${at}[${index}]`, depth: depth + 1 }, reading),
      );
    }
    case 'map': {
      const entries = isObject(value) ? Object.entries(value) : [];
      return Object.fromEntries(
        entries.map(([key, one], index) => [
          key,
          readField(one, field.of, { at: `${at}[${index}].value`, depth: depth + 1 }, reading),
        ]),
      );
    }
    case 'message': {
      if (isObject(value))
        return readFields(value, { fields: field.fields(), oneof: field.oneof ?? [] }, position, reading);
      reading.violations.push(describeValue(value, at, `type.googleapis.com/${field.name}`));
      return {};
    }
    default: {
      const read = readScalar(value, field);
      if (read.isFit) return read.value;
      reading.violations.push(describeValue(value, at, read.expected));
      return undefined;
    }
  }
}

function takesList(field: Field): boolean {
  return field.kind === 'list' || field.kind === 'value';
}

function findName(fields: Fields, written: string): string | undefined {
  if (Object.hasOwn(fields, written)) return written;
  return Object.keys(fields).find((name) => snakeCase(name) === written);
}

function joinPath(at: string, name: string): string {
  return at === '' ? snakeCase(name) : `${at}.${snakeCase(name)}`;
}

function describe(written: string, at: string, reason: string): Violation {
  const name = `Unknown name "${written.slice(0, 100)}"`;
  if (at === '') return { description: `${payload} ${name}: ${reason}` };
  return { field: at, description: `${payload} ${name} at '${at}': ${reason}` };
}

function describeValue(value: unknown, at: string, expected: string): Violation {
  const shown = JSON.stringify(value).slice(0, 100);
  return { field: at, description: `Invalid value at '${at}' (${expected}), ${shown}` };
}
