// One Markdown page as HTML: headings have the ids that GitHub gives them, links lead to the built pages, and HTML in the text
// is shown as text, never run.
import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
const { rules } = markdown.renderer;
const plain = (tokens, index, options, _environment, renderer) => renderer.renderToken(tokens, index, options);

rules.table_open = () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n';
rules.table_close = () => '</table></div>\n';
for (const cell of ['th_open', 'td_open'])
  rules[cell] = (tokens, index, ...rest) => {
    // A style attribute is refused by the content security policy of the pages.
    tokens[index].attrs = null;
    return plain(tokens, index, ...rest);
  };
rules.heading_open = (tokens, index, options, environment, renderer) => {
  const id = environment.headings.get(tokens[index]);
  tokens[index].attrSet('id', id);
  return plain(tokens, index, options, environment, renderer);
};
rules.heading_close = (tokens, index, options, environment, renderer) => {
  const id = environment.headings.get(tokens[index]);
  const end = plain(tokens, index, options, environment, renderer);
  return tokens[index].tag === 'h1'
    ? end
    : `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>${end}`;
};

/** `{ html, sections, links, pictures }`; `sections` is what is searched: `{ id, title, text }`. */
export function renderPage(page, site) {
  const tokens = markdown.parse(page.text, {});
  const headings = nameHeadings(tokens);
  const found = { pictures: new Set(), files: new Set(), problems: [] };
  for (const token of tokens) for (const child of token.children ?? []) lead(child, token, { page, site, found });
  const html = markdown.renderer.render(tokens, markdown.options, { headings });
  return { html, sections: sectionsOf(tokens, headings), ...found };
}

/** Opening and closing token of each heading -> its id. */
function nameHeadings(tokens) {
  const headings = new Map();
  const used = new Map();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const slug = slugOf(textOf(tokens[index + 1]));
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    const id = count === 0 ? slug : `${slug}-${count}`;
    headings.set(token, id).set(tokens[index + 2], id);
  }
  return headings;
}

export function slugOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function textOf(inline) {
  return (inline.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** Points a link or a picture at what is built. */
function lead(child, parent, { page, site, found }) {
  if (child.type === 'image') {
    const source = posix.normalize(posix.join(posix.dirname(page.file), child.attrGet('src')));
    if (!existsSync(source)) found.problems.push(`${page.file}: there is no picture ${source}`);
    found.pictures.add(source);
    child.attrSet('src', relativeTo(page.address, `pictures/${posix.basename(source)}`));
    child.attrSet('loading', 'lazy');
    return;
  }
  if (child.type !== 'link_open') return;
  const href = child.attrGet('href');
  if (/^(?:https?|mailto):/.test(href)) return child.attrSet('rel', 'noreferrer');
  const [path, fragment] = href.split('#');
  if (path === '') return;
  const file = posix.normalize(posix.join(posix.dirname(page.file), path)).replace(/\/$/, '');
  const target = site.get(file) ?? site.get(`${file}/README.md`);
  if (target !== undefined) {
    child.attrSet('href', relativeTo(page.address, target.address) + (fragment === undefined ? '' : `#${fragment}`));
    return;
  }
  if (!existsSync(file)) found.problems.push(`${page.file}: a link leads to ${file}, which is not there`);
  else if (file.startsWith('deploy/') && statSync(file).isFile()) {
    found.files.add(file);
    child.attrSet('href', relativeTo(page.address, `files/${file}.txt`));
    return;
  }
  unlink(child, parent, file);
}

/** Sources are not part of the built pages: the text stays, its path is shown on hover. */
function unlink(child, parent, file) {
  const all = parent.children;
  const close = all.slice(all.indexOf(child)).find(({ type }) => type === 'link_close');
  for (const token of [child, close]) {
    token.type = token.nesting === 1 ? 'em_open' : 'em_close';
    token.tag = 'span';
    token.attrs = null;
  }
  child.attrSet('title', file);
}

export function relativeTo(from, to) {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}

function sectionsOf(tokens, headings) {
  const sections = [{ id: '', title: '', text: '' }];
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (token.type === 'inline' && before?.type === 'heading_open') {
      if (before.tag === 'h1') continue;
      sections.push({ id: headings.get(before), title: textOf(token), text: '' });
    } else if (token.type === 'inline') sections.at(-1).text += ` ${textOf(token)}`;
    else if (token.type === 'fence') sections.at(-1).text += ` ${token.content}`;
  }
  return sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() }));
}
