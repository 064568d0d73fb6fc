import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setCatalogues } from './catalogue.ts';
import { chooseLanguage } from './language.ts';
import { rich } from './rich.ts';
import { known, plural, t } from './t.ts';

afterEach(() => setCatalogues({ texts: {}, sent: {} }));

test('a text is its own English, with values filled in and the note left out (issue 34 point 10)', () => {
  assert.equal(t('Page {page} of {name}', { page: 1234, name: 'x' }), 'Page 1,234 of x');
  assert.equal(t('open //state of an alert'), 'open');
  assert.equal(plural(1, '{count} request', '{count} requests'), '1 request');
  assert.equal(
    plural(2000, '{count} request of {name}', '{count} requests of {name}', { name: 'a' }),
    '2,000 requests of a',
  );
});

test('a catalogue puts its own sentence, in its own order', () => {
  setCatalogues({
    texts: {
      '{count} requests of {name}': '{name} 的 {count} 个请求',
      'open //state': '未解决',
    },
    sent: { 'is needed': '必填', 'no {noun} here': '这里没有{noun}' },
  });
  assert.equal(plural(1, '{count} request of {name}', '{count} requests of {name}', { name: 'a' }), 'a 的 1 个请求');
  assert.equal(t('open //state'), '未解决');
  assert.equal(known('is needed'), '必填');
  assert.equal(known('no x here'), '这里没有x');
  assert.equal(known('no x here.'), '这里没有x。'); // a reason that became a sentence
  assert.equal(known('never seen'), 'never seen');
  assert.equal(known('toString'), 'toString');
});

test('a value may be an element', () => {
  const made = rich('Use {code} now', { code: 'x' });
  assert.equal(
    Array.isArray(made) && made.map((piece: { props: { children: string } }) => piece.props.children).join(''),
    'Use x now',
  );
});

test('the choice that was kept wins over the languages of the browser, and those over English', () => {
  assert.equal(chooseLanguage('en', ['zh-CN']), 'en');
  assert.equal(chooseLanguage(null, ['fr', 'zh-TW', 'en']), 'zh');
  assert.equal(chooseLanguage('xx', ['fr']), 'en');
  assert.equal(chooseLanguage(null, ['en-GB', 'zh-CN']), 'en');
});
