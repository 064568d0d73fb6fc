// Which Markdown files are pages, under which address, and how docs/README.md groups them for the navigation.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Files outside of docs/ that pages link to and that are pages too. */
const OF_THE_PROJECT = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'deploy/README.md'];
const LEFT_OUT = /^docs\/lab\//;
const START = 'docs/README.md';

/** Source file -> `{ file, address, title, text }`, in the order of the navigation, then by name. */
export function readPages() {
  const files = globSync('docs/**/*.md')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !LEFT_OUT.test(file));
  const sorted = [START, ...files.filter((file) => file !== START).sort(), ...OF_THE_PROJECT];
  const pages = new Map(sorted.map((file) => [file, readPage(file)]));
  for (const folder of foldersWithoutStart(sorted)) {
    const inside = [...pages.values()].filter(({ file }) => posix.dirname(file) === folder);
    pages.set(`${folder}/README.md`, listPage(folder, inside));
  }
  return pages;
}

export function addressOf(file) {
  if (!file.startsWith('docs/'))
    return `project/${file.toLowerCase().replace(/\.md$/, '').replace('/readme', '')}.html`;
  return file
    .slice('docs/'.length)
    .replace(/README\.md$/, 'index.html')
    .replace(/\.md$/, '.html');
}

/** `{ title, links: [{ title, file }] }`: the second-level headings of the first page, with the links of their lists. */
export function readNavigation(pages) {
  const groups = [];
  for (const line of pages.get(START).text.split('\n')) {
    const heading = /^## (.+)$/.exec(line);
    if (heading) groups.push({ title: heading[1], links: [] });
    const link = /^- \[([^\]]+)\]\(([^)#]+)\)/.exec(line);
    if (!link || groups.length === 0) continue;
    const file = posix.normalize(posix.join('docs', link[2].replace(/\/$/, '')));
    groups.at(-1).links.push({ title: link[1], file: file.endsWith('.md') ? file : `${file}/README.md` });
  }
  return groups.map((group) => ({ ...group, links: group.links.filter(({ file }) => pages.has(file)) }));
}

function readPage(file) {
  const text = readFileSync(file, 'utf8').replaceAll(/<!--[^]*?-->\n?/g, '');
  const [, title = file] = /^# (.+)$/m.exec(text) ?? [];
  return { file, address: addressOf(file), title: title.replaceAll('`', ''), text };
}

/** Folders of dated or similar pages, which have no page of their own that lists them. */
function foldersWithoutStart(files) {
  const folders = new Set(files.filter((file) => file.startsWith('docs/')).map((file) => posix.dirname(file)));
  return [...folders].filter((folder) => !files.includes(`${folder}/README.md`));
}

function listPage(folder, pages) {
  const name = posix.basename(folder);
  const title = name[0].toUpperCase() + name.slice(1);
  const lines = pages.map((page) => `- [${page.title}](${posix.basename(page.file)})`);
  const file = `${folder}/README.md`;
  return { file, address: addressOf(file), title, text: `# ${title}\n\n${lines.join('\n')}\n` };
}
