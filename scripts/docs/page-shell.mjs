// The page around a text: header with search, navigation, the headings of the page. All addresses are relative, so that pages
// work under any path prefix and from a disk.
import { relativeTo } from './render-page.mjs';

export function wholePage({ page, html, sections, groups, pages }) {
  const to = (address) => relativeTo(page.address, address);
  const root = '../'.repeat(page.address.split('/').length - 1) || './';
  const title = page.address === 'index.html' ? 'Tollgate guide' : `${page.title} - Tollgate guide`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${to('icon.svg')}">
<link rel="stylesheet" href="${to('guide.css')}">
<script src="${to('theme.js')}"></script>
<script src="${to('guide.js')}" defer></script>
</head>
<body data-root="${root}">
<a class="skip" href="#content">To the text</a>
<header>
<button type="button" id="menu" aria-expanded="false" aria-controls="pages">Pages</button>
<a class="brand" href="${to('index.html')}"><img src="${to('icon.svg')}" alt="" width="24" height="24">Tollgate <span>guide</span></a>
<form role="search" id="search">
<input type="search" id="query" placeholder="Search the guide" aria-label="Search the guide" aria-describedby="count" autocomplete="off" spellcheck="false">
<div id="found" hidden><p id="count" role="status"></p><ol id="results"></ol></div>
</form>
<nav aria-label="Elsewhere"><a href="${root}../">API reference</a><a href="${root}../../console/">Console</a></nav>
<button type="button" id="theme" >Light or dark</button>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages">
${groups.map((group) => navigationGroup(group, { page, pages, to })).join('\n')}
</nav>
<main id="content" tabindex="-1">
${html}</main>
${contentsOf(sections)}
</div>
</body>
</html>
`;
}

function navigationGroup({ title, links }, { page, pages, to }) {
  const items = links.map(({ title: name, file }) => {
    const current = file === page.file ? ' aria-current="page"' : '';
    return `<li><a href="${to(pages.get(file).address)}"${current}>${escapeHtml(name)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join('')}</ul>`;
}

function contentsOf(sections) {
  const named = sections.filter(({ id }) => id !== '');
  if (named.length < 3) return '';
  const items = named.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
