// Checks that words of this project's old private dialect do not come back (docs/glossary.md has the words to use instead),
// in names, comments, tests and docs. Prints where they are and exits with 1.
import { globSync, readFileSync } from 'node:fs';

const SOURCES = ['*.md', '{server,console,contract,cli,e2e,scripts,docs}/**/*.{ts,tsx,mjs,mts,md}'];
/** Word -> what to say instead. */
export const DIALECT = new Map([
  ['told', 'reported, or the error that somebody gets'],
  ['wish', 'request or options'],
  ['wishes', 'requests'],
  ['wished', 'requested'],
  ['patience', 'deadline or time limit'],
  ['barren', 'no usable channel'],
  ['unfit', 'unsupported'],
  ['roster', 'indexed set'],
  ['lent', 'counted by references'],
  ['bell', 'wake-up'],
  ['whoever', 'the caller, process or request that is meant'],
  ['anew', 'again, new or reset'],
]);
/** True English words that were names of other things: refused only where something is declared by them. */
export const NAMES = new Map([
  ['said', 'text, answer, message, or what it is'],
  ['place', 'channel key, queue slot, position, path or settings'],
  ['places', 'channel keys, queue slots or positions'],
  ['room', 'capacity or buffer'],
  ['rooms', 'buffers'],
]);
const DECLARED = /(?:\b(?:const|let|function|class|interface|type|readonly)\s+#?|[({[,]\s*)(\w+)(?=\??\s*[:=(,})\]])/g;
/** Parts are pieces of a message, a form or a stream; what a function is given to work with are dependencies. */
const GIVEN_PARTS = /\bparts: (?:Pick<|Omit<)?\w*Dependencies\b/;
/** True uses: names on the wire and in the database, and texts that stand for anything. */
const ALLOWED = {
  told: [
    'docs/watching.md', // a label of a metric
    'server/src/telemetry/metrics.ts',
    'server/src/tasks/poll/poll-task.ts',
    'docs/sandbox.md', // names of the vendor
    'server/src/store/tables.ts', // a column
    'server/src/store/ledger/statements.ts',
    'server/src/store/migrations/0010-video-tasks.ts',
    'server/src/tasks/settle-task.ts',
    'server/src/tasks/submit/new-task.ts',
    'server/src/testing/task-rows.ts',
    'scripts/bench/lists/fill-lists.ts',
    'server/src/sandbox/openai/chat/compose-text.ts', // words of a model
    'e2e/conformance/scenarios/tools.ts',
  ],
  patience: ['e2e/relay-stream.test.ts'], // a prompt
};

/** Dialect words in a text, each with its line; words inside of names count too. */
export function findDialect(text) {
  return text.split('\n').flatMap((line, index) => {
    const words =
      line
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .match(/[a-z]+/g) ?? [];
    return [...new Set(words)].filter((word) => DIALECT.has(word)).map((word) => ({ word, line: index + 1 }));
  });
}

/** Names in code that stand for another thing than the word says; comments and texts may have the words. */
export function findNames(text) {
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(line)) return [];
    const code = line.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`/g, "''").replace(/\/\/.*$/, '');
    const names = [...code.matchAll(DECLARED)]
      .map(([, name = '']) => name.toLowerCase())
      .filter((name) => NAMES.has(name));
    if (GIVEN_PARTS.test(code)) names.push('parts');
    return [...new Set(names)].map((word) => ({ word, line: index + 1 }));
  });
}

if (process.argv[1]?.endsWith('check-words.mjs')) {
  const files = globSync(SOURCES, { exclude: (name) => name === 'node_modules' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !name.startsWith('docs/spec/') && !name.startsWith('scripts/check-words'));
  let found = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const { word, line } of [...findDialect(text), ...(file.endsWith('.md') ? [] : findNames(text))]) {
      if (ALLOWED[word]?.includes(file)) continue;
      found += 1;
      console.error(
        `${file}:${line}: "${word}" is dialect; say: ${DIALECT.get(word) ?? NAMES.get(word) ?? 'dependencies'}`,
      );
    }
  }
  if (found > 0) process.exit(1);
}
