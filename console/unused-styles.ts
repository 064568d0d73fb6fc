// Leaves out of the built style sheets what styles components that no page uses: the component library names the classes of each
// of its components by a hash of their own, which stands in the scripts where the component is used.
import type { Plugin } from 'vite';

const CLASS = /\bm_[0-9a-f]{6,8}\b/g;
const STYLED = /\.(m_[0-9a-f]{6,8})\b/g;

export const unusedStyles: Plugin = {
  name: 'tollgate-unused-styles',
  apply: 'build',
  generateBundle(_options, bundle) {
    const used = new Set<string>();
    const files = Object.values(bundle);
    for (const file of files) if (file.type === 'chunk') for (const [name] of file.code.matchAll(CLASS)) used.add(name);
    for (const file of files)
      if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = dropUnused(String(file.source), used);
  },
};

/** Rules whose selectors all name a class that is not used are dropped, and so are such selectors of the others. */
export function dropUnused(css: string, used: ReadonlySet<string>): string {
  return rulesOf(css)
    .map(({ head, body }) => {
      if (body === undefined) return head;
      if (/^@(?:media|supports|layer)/.test(head)) {
        const rest = dropUnused(body, used);
        return rest === '' ? '' : `${head}{${rest}}`;
      }
      if (head.startsWith('@')) return `${head}{${body}}`;
      const kept = selectorsOf(head).filter((selector) =>
        [...selector.matchAll(STYLED)].every(([, name = '']) => used.has(name)),
      );
      return kept.length === 0 ? '' : `${kept.join(',')}{${body}}`;
    })
    .join('');
}

interface CssRule {
  head: string;
  /** undefined = a statement without a block. */
  body: string | undefined;
}

/** As the build writes them: without comments. */
function rulesOf(css: string): CssRule[] {
  const rules: CssRule[] = [];
  let start = 0;
  let depth = 0;
  let open = 0;
  for (const { 0: sign, index } of css.matchAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{};]/g)) {
    if (sign === '{') {
      if (depth === 0) open = index;
      depth += 1;
    } else if (sign === '}') {
      depth -= 1;
      if (depth > 0) continue;
      rules.push({ head: css.slice(start, open).trim(), body: css.slice(open + 1, index) });
      start = index + 1;
    } else if (sign === ';' && depth === 0) {
      rules.push({ head: css.slice(start, index + 1).trim(), body: undefined });
      start = index + 1;
    }
  }
  return rules;
}

/** Commas inside of :is(), :where() and the like divide nothing. */
function selectorsOf(head: string): string[] {
  const selectors: string[] = [];
  let depth = 0;
  let current = '';
  for (const sign of head) {
    if (sign === '(' || sign === '[') depth += 1;
    if (sign === ')' || sign === ']') depth -= 1;
    if (sign === ',' && depth === 0) {
      selectors.push(current);
      current = '';
    } else current += sign;
  }
  return [...selectors, current];
}
