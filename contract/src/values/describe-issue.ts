// What is wrong with an input, as a sentence that goes on after the name of the field: of the operator API and of configuration files.
import { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** undefined leaves the schema's own. */
export function describeIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${named(issue.expected)}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${oneOf(issue.values)}`;
    case 'invalid_union':
      return Array.isArray(issue['options']) ? `must be one of ${issue['options'].join(', ')}` : undefined;
    case 'unrecognized_keys':
      return `is not a known field${knownFields(issue)}`;
    case 'too_small':
      return `must ${bound('at least', Number(issue.minimum), issue.origin)}`;
    case 'too_big':
      return `must ${bound('at most', Number(issue.maximum), issue.origin)}`;
    default:
      return undefined;
  }
}

function knownFields(issue: RawIssue): string {
  const names = fieldsAt(issue);
  return names.length === 0 ? '' : `; known here: ${names.join(', ')}`;
}

/** The fields that the schema of an issue knows. */
export function fieldsAt({ inst }: RawIssue): string[] {
  if (inst instanceof z.ZodObject) return Object.keys(inst.shape);
  return inst instanceof z.ZodRecord && inst.keyType instanceof z.ZodEnum ? inst.keyType.options.map(String) : [];
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

function named(expected: string): string {
  if (expected === 'int') return 'a whole number';
  if (expected === 'record') return 'an object';
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function bound(words: string, limit: number, origin: string): string {
  if (origin === 'string') return `have ${words} ${limit} character${limit === 1 ? '' : 's'}`;
  if (origin === 'array') return `have ${words} ${limit} item${limit === 1 ? '' : 's'}`;
  return `be ${words} ${limit}`;
}
