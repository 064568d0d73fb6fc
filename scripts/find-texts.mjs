// Finds texts for people in the source of the console: those that go through t(), with their keys, and those that do not.
import { parseSync } from 'rolldown/utils';

/** Attributes of elements and fields of objects whose text a person reads, whatever it looks like. */
const READ = new Set(['label', 'title', 'placeholder', 'aria-label', 'description', 'header', 'alt']);
/** Attributes of elements that hold names for machines. */
const MACHINE = new Set([
  'className',
  'fontFamily',
  'fontFamilyMonospace',
  'queryKey',
  'style',
  'styles',
  'to',
  'href',
  'gridTemplateColumns',
  'transform',
  'template',
  'd',
  'viewBox',
]);
/** Functions whose text no person reads. */
const SILENT = new Set(['import', 'RegExp', 'querySelector', 'querySelectorAll', 'getElementById']);
const LETTERS = /\p{L}{2}/u;
/** One word with signs in it: an address, an id, a pattern. */
const MACHINE_WORD = /^\S*[/.@_*:=$-]\S*[^.:…\s]$/;
/** Elements that show code. */
const CODE = new Set(['code', 'Code', 'Kbd', 'pre']);
/** A capital and small letters, or two words: looks like English for people. */
const SENTENCE = /^[A-Z][a-z]+(?:\W|$)|[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}|^\d+ [a-z]{3,}$/;

/**
 * keys: [{ key, line }]; loose: [{ text, line }], texts that are not translated.
 * `names` are texts that stay the same in every language.
 */
export function findTexts(file, source, names = new Set()) {
  const { program, errors } = parseSync(file, source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const keys = [];
  const loose = [];
  const lineOf = (node) => source.slice(0, node.start).split('\n').length;
  const report = (node, text, isRead) => {
    const words = text.trim();
    if (names.has(words) || MACHINE_WORD.test(words) || !(isRead ? LETTERS : SENTENCE).test(words)) return;
    loose.push({ text: words, line: lineOf(node) });
  };
  const addKey = (node) => {
    for (const text of textsOf(node)) {
      if (text.value === undefined)
        loose.push({ text: 'a key that is not written out: use a table of t() or known()', line: lineOf(node) });
      else keys.push({ key: text.value, line: lineOf(node) });
    }
  };
  const visit = (node, isRead) => {
    if (Array.isArray(node)) return node.forEach((each) => visit(each, isRead));
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;
    if (node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return;
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
        return;
      case 'ExportNamedDeclaration':
        return visit(node.declaration, false);
      case 'JSXText':
        return report(node, node.value, true);
      case 'JSXElement':
        visit(node.openingElement.attributes, false);
        return CODE.has(node.openingElement.name.name) ? undefined : visit(node.children, false);
      case 'JSXAttribute': {
        const name = node.name.name;
        return MACHINE.has(name) ? undefined : visit(node.value, READ.has(name));
      }
      case 'JSXExpressionContainer':
        return visit(node.expression, isRead);
      case 'Literal':
        return typeof node.value === 'string' ? report(node, node.value, isRead) : undefined;
      case 'TemplateLiteral':
        for (const quasi of node.quasis) report(quasi, quasi.value.cooked ?? '', isRead);
        return visit(node.expressions, false);
      case 'Property': {
        const name = node.key.name ?? node.key.value;
        if (node.computed) visit(node.key, false);
        if (MACHINE.has(name)) return;
        return visit(node.value, READ.has(name) && node.value.type !== 'Identifier');
      }
      case 'BinaryExpression':
        return node.operator === '+' ? visit([node.left, node.right], isRead) : visitOperands(node, visit);
      case 'SwitchCase':
        return visit(node.consequent, false);
      case 'CallExpression':
      case 'NewExpression': {
        const name = node.callee.name ?? node.callee.property?.name;
        if (name === 't' || name === 'rich') addKey(node.arguments[0]);
        else if (name === 'plural') {
          if (textsOf(node.arguments[1]).some(({ value }) => value === undefined)) addKey(node.arguments[1]);
          addKey(node.arguments[2]);
        }
        if (name === 't' || name === 'rich' || name === 'plural')
          return visit(
            node.arguments.slice(1).filter(({ type }) => type === 'ObjectExpression'),
            false,
          );
        if (SILENT.has(name)) return;
        visit(node.callee, false);
        return visit(node.arguments, false);
      }
      case 'ConditionalExpression':
        visit(node.test, false);
        return visit([node.consequent, node.alternate], isRead);
      case 'LogicalExpression':
        visit(node.left, false);
        return visit(node.right, isRead);
    }
    for (const [name, child] of Object.entries(node)) if (name !== 'parent') visit(child, false);
  };
  visit(program.body, false);
  return { keys, loose };
}

/** The sides of a comparison are values, not texts; what stands deeper may hold some. */
function visitOperands(node, visit) {
  for (const side of [node.left, node.right]) if (side.type !== 'Literal') visit(side, false);
}

/** The texts that an expression may be: written out, or one of two. */
function textsOf(node) {
  if (node === undefined) return [];
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)];
  return [{ value: node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined }];
}
