// Search, menu, theme and copy buttons of the guide. Everything it needs comes from this server, the index when somebody searches.
const MOST = 20;
const AROUND = 70;
const root = document.body.dataset.root;
const query = document.getElementById('query');
const found = document.getElementById('found');
const results = document.getElementById('results');
const count = document.getElementById('count');
let index;

query.addEventListener('focus', load);
query.addEventListener('input', () => void search());
document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
document.getElementById('search').addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close();
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = [query, ...results.querySelectorAll('a')];
  const next = links[links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('#search')) found.hidden = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea')) return;
  event.preventDefault();
  query.focus();
});

function load() {
  index ??= fetch(`${root}search.json`)
    .then((answer) => answer.json())
    .then((entries) => entries.map((entry) => ({ ...entry, p_: fold(entry.p), h_: fold(entry.h), t_: fold(entry.t) })))
    .catch(() => {
      index = undefined;
      return [];
    });
  return index;
}

async function search() {
  const words = fold(query.value).split(/\s+/).filter(Boolean);
  if (words.length === 0) return close();
  const entries = await load();
  if (words.join(' ') !== fold(query.value).split(/\s+/).filter(Boolean).join(' ')) return;
  const ranked = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  count.textContent = ranked.length === 0 ? 'Nothing found' : `${ranked.length} found`;
  results.replaceChildren(...ranked.slice(0, MOST).map(({ entry }) => resultOf(entry, words)));
  found.hidden = false;
}

/** 0 where a word is missing. Titles count most, then how often a word occurs. */
function scoreOf({ p_, h_, t_, l }, words) {
  let score = 0;
  for (const word of words) {
    const times = Math.min(t_.split(word).length - 1, 5);
    const inTitle = starts(h_, word) ? 20 : h_.includes(word) ? 10 : 0;
    const inPage = starts(p_, word) ? 8 : p_.includes(word) ? 4 : 0;
    if (times + inTitle + inPage === 0) return 0;
    score += times + inTitle + inPage;
  }
  if (words.length > 1 && t_.includes(words.join(' '))) score += 10;
  return l === 1 ? score / 4 : score;
}

function starts(text, word) {
  return text.startsWith(word) || text.includes(` ${word}`);
}

function resultOf(entry, words) {
  const link = document.createElement('a');
  link.href = root + entry.a;
  const title = document.createElement('strong');
  title.textContent = entry.h === '' ? entry.p : `${entry.p}: ${entry.h}`;
  link.append(title, snippet(entry, words));
  link.addEventListener('click', close);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function snippet({ t, t_ }, words) {
  const at = Math.max(0, Math.min(...words.map((word) => t_.indexOf(word)).filter((one) => one >= 0), t.length));
  const from = at === t.length ? 0 : Math.max(0, at - AROUND);
  const text = `${from > 0 ? '... ' : ''}${t.slice(from, from + 2 * AROUND + 20)}${from + 2 * AROUND + 20 < t.length ? ' ...' : ''}`;
  const line = document.createElement('span');
  const marks = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'i');
  for (const piece of text.split(marks)) {
    const node = words.includes(fold(piece)) ? document.createElement('mark') : document.createElement('span');
    node.textContent = piece;
    line.append(node);
  }
  return line;
}

function close() {
  found.hidden = true;
  results.replaceChildren();
}

function fold(text) {
  return text.toLowerCase();
}

const menu = document.getElementById('menu');
menu.addEventListener('click', () => {
  const open = document.body.classList.toggle('menu-open');
  menu.setAttribute('aria-expanded', String(open));
});

const theme = document.getElementById('theme');
theme.addEventListener('click', () => {
  const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem('tollgate-color-scheme', next);
  } catch {
    // for this page only, then
  }
});

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard?.writeText(block.querySelector('code').textContent).then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
  });
  const frame = document.createElement('div');
  frame.className = 'block';
  block.replaceWith(frame);
  block.tabIndex = 0;
  frame.append(block, button);
}
