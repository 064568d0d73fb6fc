// Writes the whole site into a folder: pages, pictures, files that pages link to, the search index, and a compressed copy of
// everything that is text.
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { wholePage } from './page-shell.mjs';
import { readNavigation, readPages } from './read-site.mjs';
import { renderPage } from './render-page.mjs';

const ASSETS = fileURLToPath(new URL('./assets', import.meta.url));
/** Rules, decisions and figures are found after the pages that explain. */
const LAST = /^(?:spec|decisions|project)\/|^(?:conformance|faults|benchmarks)\.html/;

/** Builds from the working folder, which is that of the project. */
export async function buildSite(target) {
  rmSync(target, { recursive: true, force: true });
  const pages = readPages();
  const groups = readNavigation(pages);
  const index = [];
  const problems = [];
  const copies = new Map([['console/public/icon.svg', 'icon.svg']]);
  for (const page of pages.values()) {
    const rendered = renderPage(page, pages);
    problems.push(...rendered.problems);
    for (const picture of rendered.pictures) copies.set(picture, `pictures/${basename(picture)}`);
    for (const file of rendered.files) copies.set(file, `files/${file}.txt`);
    write(join(target, page.address), wholePage({ page, groups, pages, ...rendered }));
    index.push(...rendered.sections.filter(({ text }) => text !== '').map((section) => entryOf(page, section)));
  }
  write(join(target, 'search.json'), JSON.stringify(index));
  for (const [from, to] of copies) copy(from, join(target, to));
  for (const name of globSync('*', { cwd: ASSETS })) copy(join(ASSETS, name), join(target, name));
  for (const file of globSync(`${target}/**/*.{html,js,css,json,svg,txt}`))
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  return { pages: pages.size, problems };
}

/** Short names, because there are some thousand of them. */
function entryOf(page, { id, title, text }) {
  const address = id === '' ? page.address : `${page.address}#${id}`;
  return { a: address, p: page.title, h: title, t: text, ...(LAST.test(page.address) && { l: 1 }) };
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  try {
    copyFileSync(from, to);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error; // it is among the problems
  }
}
