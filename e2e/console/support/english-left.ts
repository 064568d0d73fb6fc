// English that a page in Chinese still shows: visible texts, and what is read aloud or shown in fields and on pointing.
import type { Page } from 'playwright-core';

/** Where names, code and words of upstreams stand: what they hold is no text of the console. */
const DATA = 'pre, code, .mono, .cut, kbd, time, option, [data-testid=answer], .mantine-Code-root, svg, script, style';
const ATTRIBUTES = ['aria-label', 'placeholder', 'title', 'alt'];
/** Three words in a row, or two that begin like a sentence. */
const SENTENCE = /[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}[,;:]? [A-Za-z]{2,}|^[A-Z][a-z]+ [a-z]{2,}/;

/** Words of upstreams, names that the tests gave, names of vendors and of fields of the APIs. */
const NOT_OURS = [
  /server_error: |ECONNRESET|may not be called|inappropriate content/,
  /^(?:reports service|admin|Generate content|chat, responses, completions)$/,
  /Amazon|Google|Gemini|Azure|Cloudflare|Vercel|Alibaba|Luma|Text Generation|→|^name /,
];

/** Runs in the page. */
const COLLECT = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element === null || element.closest('${DATA}') !== null || !element.checkVisibility()) continue;
    texts.push(node.textContent ?? '');
  }
  for (const name of ${JSON.stringify(ATTRIBUTES)})
    for (const element of document.querySelectorAll('[' + name + ']'))
      if (element.closest('${DATA}') === null) texts.push(element.getAttribute(name) ?? '');
  return texts;
})()`;

/** `keys` are the English texts that have a Chinese one. */
export async function englishLeft(page: Page, keys: ReadonlySet<string>): Promise<string[]> {
  const shown = await page.evaluate<string[]>(COLLECT);
  return [...new Set(shown.map((text) => text.replace(/\s+/g, ' ').trim()))].filter(
    (text) => !NOT_OURS.some((pattern) => pattern.test(text)) && (keys.has(text) || SENTENCE.test(text)),
  );
}
