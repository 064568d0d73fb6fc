// Asserts that an answer, an event or a whole stream is what the vendor's published types say.
import assert from 'node:assert/strict';
import { answerTypesOf } from './answer-types.ts';
import { exceptions } from './exceptions.ts';
import { findProblems, type Problem } from './find-problems.ts';
import { vendorSchemas } from './make-schemas.ts';
import type { PublishedName } from './published-types.ts';
import type { JsonSchema } from './type-to-schema.ts';

const allowed = new Set(
  exceptions.flatMap(({ schemaPaths, kind }) => schemaPaths.map((schemaPath) => `${kind} ${schemaPath}`)),
);
const isException = ({ kind, schemaPath }: Problem): boolean => allowed.has(`${kind} ${schemaPath}`);

export function problemsOf(name: PublishedName, value: unknown): Problem[] {
  const { $defs } = vendorSchemas();
  const published = $defs['PublishedTypes']?.['properties'] as Record<PublishedName, JsonSchema>;
  return findProblems({ $defs, isException }, published[name], value, { schemaPath: name, path: '$' });
}

export function checkAnswer(name: PublishedName, value: unknown): void {
  const problems = problemsOf(name, value);
  if (problems.length === 0) return;
  const lines = problems.map(({ kind, schemaPath, path, found }) => `${kind} ${schemaPath} at ${path}: ${found}`);
  assert.fail(`not a ${name}:\n${lines.join('\n')}\n${JSON.stringify(value).slice(0, 2_000)}`);
}

export interface GivenAnswer {
  method: string;
  path: string;
  status: number;
  contentType: string;
  text: string;
}

/** Whatever a path has answered: whole, streamed or refused. Answers that no vendor has published are let pass. */
export function checkGiven({ method, path, status, contentType, text }: GivenAnswer): void {
  const types = answerTypesOf(method, path);
  if (types === undefined) return;
  if (contentType.startsWith('text/event-stream')) {
    if (types.event !== undefined) checkEvents(types.event, text);
  } else if (contentType.startsWith('application/json')) {
    const name = status >= 400 ? types.error : types.whole;
    if (name !== undefined) checkAnswer(name, JSON.parse(text));
  }
}

/** Every event of a stream; `[DONE]` is none. */
export function checkEvents(name: PublishedName, text: string): void {
  for (const block of text.split(/\r?\n\r?\n/)) {
    const [, data] = /^data: ?(.*)$/m.exec(block) ?? [];
    if (data !== undefined && data !== '[DONE]') checkAnswer(name, JSON.parse(data));
  }
}
