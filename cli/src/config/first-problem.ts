// What is wrong with a configuration file: one field and one sentence.
import type { z } from 'zod';
import { describeIssue, fieldsAt } from '#contract/values/describe-issue.ts';
import { closestOf } from './closest.ts';

/** A field with a slip in its name comes first: it is why the right one is missing. */
export function problemOf({ issues }: z.ZodError): { field: PropertyKey[]; sentence: string } {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue === undefined) return { field: [], sentence: 'is wrong' };
  if (issue.code === 'unrecognized_keys')
    return { field: [...issue.path, issue.keys[0] ?? ''], sentence: issue.message };
  // What is wrong about a name is one level down.
  const inner = issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined;
  return { field: issue.path, sentence: inner ?? issue.message };
}

export function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return describeIssue(issue);
  const name = issue.keys[0] ?? '';
  const known = fieldsAt(issue);
  const meant = closestOf(name, known);
  const help = meant === undefined ? `known here: ${known.join(', ')}` : `did you mean "${meant}"?`;
  return `unknown field "${name}"; ${help}`;
}
