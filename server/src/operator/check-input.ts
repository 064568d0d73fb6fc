// Checks bodies, queries and path parameters against their schemas. The first thing wrong becomes a 400 that names the
// field.
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { type GatewayError, invalidRequest } from '../errors/gateway-error.ts';

type RawIssue = z.core.$ZodRawIssue;

export const checkInput: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    const result = schema.safeParse(data, { error: describeIssue });
    if (result.success) return { value: result.data };
    return { error: inputError(result.error, httpPart === 'body' ? 'The request body' : 'The request') };
  };

function inputError(error: z.ZodError, whole: string): GatewayError {
  const issue = error.issues[0];
  if (issue === undefined) return invalidRequest(`${whole} is not valid.`);
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const param = [...path, issue.keys[0] ?? ''].join('.');
    return invalidRequest(`"${param}" ${issue.message}.`, param);
  }
  // A record's key is reported with what is wrong about it one level down.
  const sentence = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  if (path.length === 0) return invalidRequest(`${whole} ${sentence}.`);
  const param = path.join('.');
  return invalidRequest(`"${param}" ${sentence}.`, param);
}

/** Sentences that go on after the name of the field; undefined leaves the schema's own. */
function describeIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${named(issue.expected)}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be one of ${issue.values.join(', ')}`;
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

function knownFields({ inst }: RawIssue): string {
  const shape = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  return shape.length === 0 ? '' : `; known here: ${shape.join(', ')}`;
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
