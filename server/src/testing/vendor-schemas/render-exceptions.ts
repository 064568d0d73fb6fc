// The list of exceptions as the table of docs/lab/vendor-types.md.
import type { Exception } from './exceptions.ts';
import type { ProblemKind } from './find-problems.ts';

const words: Readonly<Record<ProblemKind, string>> = {
  missing: 'required, may be absent',
  null: 'may be null',
  extra: 'not in the type',
  type: 'of another type',
  value: 'has further values',
};

export function renderExceptions(exceptions: readonly Exception[]): string {
  const lines = exceptions.map(
    ({ schemaPaths, kind, why }) =>
      `| ${schemaPaths.map((schemaPath) => `\`${schemaPath}\``).join(', ')} | ${words[kind]} | ${why} |`,
  );
  return ['| Type and field | Really | Why |', '|---|---|---|', ...lines].join('\n');
}
