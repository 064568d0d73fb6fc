// Checks that every reference to the rules in docs/spec ("spec 2.6 rule 4", "contract 5", "promise M-07", "FT-16") leads to
// a rule that exists there. Prints what does not and exits with 1.
import { globSync, readFileSync } from 'node:fs';

const SOURCES = ['*.md', '{server,console,contract,e2e,scripts,docs}/**/*.{ts,tsx,mjs,mts,md,json}'];
const PAGES = { spec: 'interface.md', contract: 'contract.md', 'contract-2': 'contract-2.md' };
const PROMISES = 'promises.md';

/** Section number -> how many rules it lists. */
export function readSections(text) {
  const sections = new Map();
  let current;
  for (const line of text.split('\n')) {
    const heading = /^#{2,3} (\d+(?:\.\d+)?)\.? /.exec(line);
    if (heading) sections.set((current = heading[1]), 0);
    const rule = /^(\d+)\. /.exec(line);
    if (rule && current !== undefined) sections.set(current, Math.max(sections.get(current), Number(rule[1])));
  }
  return sections;
}

/** Ids in the first column of the tables: M-01, FT-30. */
export function readPromises(text) {
  return new Set([...text.matchAll(/^\| ([A-Z]{1,2}-\d{2}) \|/gm)].map(([, id]) => id));
}

const REFERENCE =
  /\b(spec|contract-2|contract)(?: sections?)? (\d+(?:\.\d+)?)(?: rules? (\d+)|(?:-(\d+(?:\.\d+)?))?((?:, \d+(?:\.\d+)?)*(?: and \d+(?:\.\d+)?)?))(?![\d%])/g;
const PROMISE = /\b((?:FT|[MVSBAO])-\d{2})\b/g;

/** What a text refers to and where the rule would be: `{ reference, page, section, rule }`. */
export function findReferences(text) {
  const found = [];
  for (const [reference, page, section, rule, to, more = ''] of text.matchAll(REFERENCE)) {
    found.push({ reference, page, section, rule });
    if (to !== undefined) found.push({ reference, page, section: to });
    for (const [another] of more.matchAll(/\d+(?:\.\d+)?/g)) found.push({ reference, page, section: another });
  }
  for (const [reference, id] of text.matchAll(PROMISE)) found.push({ reference, promise: id });
  return found;
}

export function resolves({ page, section, rule, promise }, { pages, promises }) {
  if (promise !== undefined) return promises.has(promise);
  const rules = pages[page].get(section);
  return rules !== undefined && (rule === undefined || Number(rule) <= rules);
}

function readLaw() {
  const read = (name) => readFileSync(`docs/spec/${name}`, 'utf8');
  const pages = Object.fromEntries(Object.entries(PAGES).map(([page, name]) => [page, readSections(read(name))]));
  return { pages, promises: readPromises(read(PROMISES)) };
}

if (process.argv[1]?.endsWith('check-references.mjs')) {
  const law = readLaw();
  const files = globSync(SOURCES).filter((name) => !name.startsWith('scripts/check-references'));
  let broken = 0;
  for (const file of files) {
    for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
      for (const found of findReferences(line)) {
        if (resolves(found, law)) continue;
        broken += 1;
        console.error(`${file}:${index + 1}: "${found.reference}" leads to no rule in docs/spec`);
      }
    }
  }
  if (broken > 0) process.exit(1);
}
