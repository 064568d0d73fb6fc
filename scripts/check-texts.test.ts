import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkClients, checkTexts } from './check-texts.mjs';
import { findTexts } from './find-texts.mjs';

const FILE = 'console/src/features/x/x.tsx';

function looseIn(source: string): string[] {
  return findTexts(FILE, source, new Set(['Tollgate'])).loose.map(({ text }) => text);
}

test('texts outside of t() are found wherever a person would read them (issue 34 point 10)', () => {
  assert.deepEqual(looseIn("const a = <p>Hello <b>{t('There')}</b></p>;"), ['Hello']);
  assert.deepEqual(looseIn("const a = <X label='name' aria-label={open ? 'shut' : t('Open')} />;"), ['name', 'shut']);
  assert.deepEqual(looseIn("const a = [{ header: 'spent' }, { kind: 'text', title }];"), ['spent']);
  assert.deepEqual(looseIn("const a = ok ? 'Saved' : `Not saved by ${name}`;"), ['Saved', 'Not saved by']);
  assert.deepEqual(looseIn("notifications.show({ message: 'It is saved now' });"), ['It is saved now']);
  assert.deepEqual(looseIn('const a = t(`Hello ${name}`); const b = t(text);').length, 2);
});

test('names for machines, and names that are the same everywhere, are no texts for people', () => {
  const quiet = [
    "import { Thing } from './Thing of mine.ts';",
    "const a = <X className='Some words here' to='/tokens' variant='default'>Tollgate</X>;",
    "if (key === 'Escape' || state === 'IN_PROGRESS') throw error;",
    "switch (a) { case 'Some thing': break; }",
    "const b: 'Two words' = c as 'Two words';",
    "const d = [t('Page {page}', { page: 1 }), plural(2, '{count} row', '{count} rows'), '/usage', 'tollgate-language'];",
  ];
  for (const source of quiet) assert.deepEqual(looseIn(source), [], source);
});

test('a key needs its Chinese, with the same names, in a catalogue that its page loads, once, and in use', () => {
  const files = {
    [FILE]: "const a = [t('One'), t('Two {name}', { name }), plural(2, '{count} row', '{count} rows')];",
  };
  const whole = { One: '一', 'Two {name}': '二 {name}', '{count} rows': '{count} 行' };
  assert.deepEqual(checkTexts({ files, catalogues: { 'x.ts': whole } }), []);
  const problems = (catalogues: Record<string, Record<string, string>>, more = {}) =>
    checkTexts({ files, catalogues, ...more }).join('\n');
  assert.match(problems({ 'x.ts': { ...whole, 'Two {name}': '二' } }), /other \{names\}/);
  assert.match(problems({ 'x.ts': { ...whole, Three: '三' } }), /nothing uses: Three/);
  assert.match(problems({ 'x.ts': { One: '一' } }), /no Chinese for: Two[\s\S]*no Chinese for: \{count\} rows/);
  assert.match(problems({ 'portal.ts': whole }), /does not load portal\.ts/);
  assert.match(problems({ 'x.ts': whole, 'shared.ts': { One: '一' } }), /stands in x\.ts too/);
  assert.match(problems({ 'x.ts': whole }, { left: [FILE] }), /is converted/);
  assert.match(problems({ 'x.ts': whole }, { left: ['console/src/gone.tsx'] }), /there is no/);
  assert.equal(
    problems({ 'x.ts': whole, 'gateway.ts': { 'must be a URL': '必须是网址' } }, { gatewaySource: "'must be a URL'" }),
    '',
  );
});

test('texts of the first page stand in a catalogue that is loaded before it', () => {
  const files = { 'console/src/app/pages.ts': "const a = t('One');" };
  assert.deepEqual(checkTexts({ files, catalogues: { 'app.ts': { One: '一' } } }), []);
  assert.match(checkTexts({ files, catalogues: { 'x.ts': { One: '一' } } }).join(), /does not load x\.ts/);
});

test('a page is loaded after its texts', () => {
  const files = { 'console/src/routes/x.ts': "const a = { component: lazyRouteComponent(() => import('./x.tsx')) };" };
  assert.match(checkTexts({ files, catalogues: {} }).join(), /use lazyPage/);
});

test('every paragraph about a client has its Chinese, and nothing else has', () => {
  assert.deepEqual(checkClients({ 'a.md': ['One.'] }, { 'One.': '一。' }), []);
  assert.deepEqual(checkClients({ 'a.md': ['One.', 'Two.'] }, { 'One.': '一。', 'Three.': '三。' }), [
    'a.md: no Chinese in clients.ts for: Two.',
    'clients.ts: no page of docs/clients has: Three.',
  ]);
});
