// Checks bodies, queries and path parameters against their schemas. The first thing wrong becomes a 400 that names the
// field.
import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { describeIssue } from '#contract/values/describe-issue.ts';
import { type GatewayError, invalidRequest } from '../errors/gateway-error.ts';

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
