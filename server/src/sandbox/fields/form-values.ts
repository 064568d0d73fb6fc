// Gives the text fields of a form the types that the same fields have in JSON, so that one set of checks serves both.
import { refuse, type WireObject } from './refuse.ts';

export type FormTypes = { numbers: readonly string[]; booleans: readonly string[] };

export function readFormValues(fields: WireObject, { numbers, booleans }: FormTypes): WireObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (Array.isArray(value) && !name.endsWith('[]')) {
        refuse(name, `Duplicate parameter: '${name}'.`, 'duplicate_parameter');
      }
      if (numbers.includes(name)) return [name, readNumber(value)];
      return [name, booleans.includes(name) ? readBoolean(value) : value];
    }),
  );
}

/** What is no number stays as it is, for the check of the field to refuse. */
function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

function readBoolean(value: unknown): unknown {
  if (value === 'true' || value === '1' || value === 'True') return true;
  return value === 'false' || value === '0' || value === 'False' ? false : value;
}
