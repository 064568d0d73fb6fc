// Checks that the console and the portal are whole in every language (docs/operators.md, "Languages"): no text for people outside of t(),
// every key has its Chinese with the same {names}, and no catalogue holds a key that nothing uses. Prints where and exits with 1.
import { globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { findTexts } from './find-texts.mjs';
import { SAME_EVERYWHERE, WITHOUT_TEXTS } from './texts-same-everywhere.mjs';
import { TEXTS_LEFT } from './texts-left.mjs';

const CATALOGUES = 'console/src/i18n/zh';
/** What both pages load. */
const SHARED = ['shared.ts', 'fields.ts'];

/** What the gateway sends: its keys stand in the source of the gateway. */
const SENT = 'gateway.ts';

/** Of docs/clients, by whole paragraphs. */
const CLIENTS = 'clients.ts';

/** What the console loads before its first page, and the files whose texts are made then. */
const FIRST = ['app.ts', 'overview.ts', 'sign-in.ts'];
const FIRST_FILES = /^console\/src\/(?:main\.tsx|(?:app|routes|features\/overview|features\/sign-in)\/)/;

/** Where pages are named: each is loaded after its texts. */
const ROUTE = /^console\/src\/routes\//;

/** Which catalogues a file's keys may stand in. */
function mayStandIn(file, catalogue) {
  if (SHARED.includes(catalogue)) return true;
  if (file.startsWith('console/src/portal/')) return catalogue === 'portal.ts';
  if (/^console\/src\/(?:components|lib|i18n)\//.test(file)) return false;
  if (FIRST_FILES.test(file)) return FIRST.includes(catalogue);
  return catalogue !== 'portal.ts';
}

/**
 * files: name -> source; catalogues: file name -> { English: Chinese }; left: files that are not converted yet;
 * withoutTexts: files whose texts are code or data;
 * gatewaySource: the text in which the keys of gateway.ts must stand. Answers problems as sentences.
 */
export function checkTexts({ files, catalogues, left = [], withoutTexts = [], names = new Set(), gatewaySource = '' }) {
  const problems = [];
  const used = new Set();
  const homes = new Map();
  for (const [catalogue, texts] of Object.entries(catalogues)) {
    if (catalogue === SENT) continue;
    for (const key of Object.keys(texts)) {
      if (homes.has(key))
        problems.push(
          `${catalogue}: "${key}" stands in ${homes.get(key)} too; keep one, in shared.ts where both pages need it`,
        );
      homes.set(key, catalogue);
    }
  }
  for (const [file, source] of Object.entries(files)) {
    const { keys, loose } = findTexts(file, source, names);
    if (left.includes(file)) {
      if (loose.length === 0) problems.push(`${file}: is converted; take it out of scripts/texts-left.mjs`);
    } else if (!withoutTexts.includes(file)) {
      for (const { text, line } of loose) problems.push(`${file}:${line}: not through t(): ${text}`);
    }
    if (ROUTE.test(file) && source.includes('lazyRouteComponent'))
      problems.push(`${file}: its texts may not be loaded; use lazyPage() of lib/lazy-page.ts`);
    for (const { key, line } of keys) {
      used.add(key);
      const home = homes.get(key);
      if (home === undefined) problems.push(`${file}:${line}: no Chinese for: ${key}`);
      else if (!mayStandIn(file, home))
        problems.push(`${file}:${line}: its page does not load ${home}; move to shared.ts: ${key}`);
    }
  }
  for (const file of left) if (files[file] === undefined) problems.push(`scripts/texts-left.mjs: there is no ${file}`);
  for (const [catalogue, texts] of Object.entries(catalogues)) {
    for (const [key, text] of Object.entries(texts)) {
      const isUsed = catalogue === SENT ? isSent(key, gatewaySource) : used.has(key);
      if (!isUsed) problems.push(`${catalogue}: nothing uses: ${key}`);
      if (namesIn(key) !== namesIn(text)) problems.push(`${catalogue}: other {names} than in: ${key}`);
    }
  }
  return problems;
}

/** {names} of the key are expressions there. */
function isSent(key, source) {
  return source.includes(key.replace(/\{\w+\}/g, '{}'));
}

/** pages: file -> paragraphs; texts: paragraph -> Chinese. */
export function checkClients(pages, texts) {
  const written = new Map(Object.entries(pages).flatMap(([file, own]) => own.map((text) => [text, file])));
  return [
    ...[...written]
      .filter(([text]) => texts[text] === undefined)
      .map(([text, file]) => `${file}: no Chinese in ${CLIENTS} for: ${text}`),
    ...Object.keys(texts)
      .filter((text) => !written.has(text))
      .map((text) => `${CLIENTS}: no page of docs/clients has: ${text}`),
  ];
}

async function readClients() {
  const { readClientPage } = await import(pathToFileURL('console/src/lib/client-page.ts').href);
  const { clients } = await import(pathToFileURL(`${CATALOGUES}/${CLIENTS}`).href);
  const pages = globSync('docs/clients/*.md').map((file) => {
    const { parts } = readClientPage(readFileSync(file, 'utf8'), 'https://YOUR-GATEWAY');
    return [file, parts.filter(({ kind }) => kind === 'text').map(({ text }) => text)];
  });
  return checkClients(Object.fromEntries(pages), clients);
}

function namesIn(text) {
  return [...new Set(text.match(/\{\w+\}/g))].sort((a, b) => a.localeCompare(b)).join(' ');
}

async function readCatalogues() {
  const catalogues = {};
  for (const file of globSync(`${CATALOGUES}/*.ts`)) {
    const name = file.split(/[\\/]/).at(-1);
    if (name.startsWith('chinese-') || name === CLIENTS) continue;
    const [texts = {}] = Object.values(await import(pathToFileURL(file).href));
    catalogues[name] = texts;
  }
  return catalogues;
}

function readSources(pattern) {
  const names = globSync(pattern).map((name) => name.replaceAll('\\', '/'));
  return Object.fromEntries(
    names.filter((name) => !name.includes('.test.')).map((name) => [name, readFileSync(name, 'utf8')]),
  );
}

if (process.argv[1]?.endsWith('check-texts.mjs')) {
  const files = Object.fromEntries(
    Object.entries(readSources('console/src/**/*.{ts,tsx}')).filter(([name]) => !name.startsWith(CATALOGUES)),
  );
  const gatewaySource = Object.values(readSources('{contract,server}/src/**/*.ts'))
    .join('\n')
    .replace(/\$\{[^{}]*\}|\{\w+\}/g, '{}');
  const problems = checkTexts({
    files,
    catalogues: await readCatalogues(),
    left: TEXTS_LEFT,
    withoutTexts: WITHOUT_TEXTS,
    names: SAME_EVERYWHERE,
    gatewaySource,
  });
  problems.push(...(await readClients()));
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exit(1);
  }
}
