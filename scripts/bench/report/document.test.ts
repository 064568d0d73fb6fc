import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../options.ts';
import { writeDocument } from './document.ts';
import { Figures } from './figures.ts';
import { judgeAll, tellMisses } from './judge.ts';
import { showFigure, writeTable } from './table.ts';

function options(...words: string[]) {
  const read = readOptions(words, { server: '/x.js', document: '/x.md' });
  assert.ok(read);
  return read;
}

/** Tollgate at so many times nginx, in each of some rounds. */
function figuresOf(multiples: readonly number[]): Figures {
  const figures = new Figures();
  for (const multiple of multiples) {
    figures.add('whole-64.cpu', 'nginx', 20);
    figures.add('whole-64.cpu', 'Tollgate', 20 * multiple);
  }
  return figures;
}

const facts = {
  date: 'today',
  code: 'abc1234',
  machine: 'a machine',
  loadAverage: '0.10',
  node: 'v24',
  relays: ['nginx/1'],
  run: 'a run',
  stolen: 'nothing',
};

function write(figures: Figures, before?: string, words: readonly string[] = ['--rows', 'whole-64']): string {
  const report = {
    facts,
    figures,
    relays: [
      { name: 'nginx', does: 'relays bytes; accounting off', version: 'nginx/1' },
      { name: 'Tollgate', does: 'hold and settle; accounting on', version: undefined },
    ],
    options: options(...words),
    gaps: ['Portkey is left out of "stream".'],
    notes: ['a note'],
    outcome: 'all well',
  };
  return writeDocument(report, before);
}

test('a figure shows its median and how far the rounds lay apart, a missing one a dash', () => {
  assert.equal(showFigure([10, 12, 9], 1), '10.0 ±15%');
  assert.equal(showFigure([10], 1), '10.0');
  assert.equal(showFigure([0, 0], 0), '0');
  assert.equal(showFigure([], 0), '-');
});

test('multiples are made round by round, and the median of them is judged', () => {
  const text = writeTable(figuresOf([4, 7, 6]), ['nginx', 'Tollgate'], options('--rows', 'whole-64'));
  assert.match(text, /x nginx +1\.00 +6\.00 ±25% +<= 8 x nginx {2}pass +<= 5 x nginx {2}MISS/);
});

test('a missed bar, a missed goal and what was not measured each get one sentence', () => {
  const reported = (multiple: number): string[] => tellMisses(judgeAll(figuresOf([multiple]), ['whole-64']));
  assert.match(reported(9)[0] ?? '', /9\.00 x nginx, the first bar \(<= 8 x nginx\) is missed, 1\.13 times it;/);
  assert.match(reported(9)[0] ?? '', /; short of the goal \(<= 5 x nginx\), 1\.80 times it\.$/);
  assert.match(reported(6)[0] ?? '', /6\.00 x nginx; short of the goal \(<= 5 x nginx\), 1\.20 times it\./);
  assert.match(reported(4)[0] ?? '', /against Portkey: not measured in this run/);
});

test('what a small chat costs on PostgreSQL is judged as a multiple of the same on SQLite', () => {
  const figures = figuresOf([4, 4, 4]);
  for (const cost of [96, 128, 160]) figures.add('whole-64.cpu', 'Tollgate-PG', cost);
  const [verdict] = judgeAll(figures, ['whole-64']).filter(({ unit }) => unit === 'x SQLite');
  assert.deepEqual(verdict?.measured, { median: 1.6, least: 1.2, most: 2 });
  assert.ok(
    tellMisses(judgeAll(figures, ['whole-64'])).some((text) => text.includes('1.60 x SQLite; short of the goal')),
  );
});

test('each relay has one line that says what it does for a request, beside what that costs', () => {
  const page = write(figuresOf([6]));
  assert.match(page, /\|  \| does per request \| small chat, CPU us \| x nginx \| x Tollgate \|/);
  assert.match(page, /\| nginx\/1 \| relays bytes; accounting off \| 20 \| 1\.0 \| 0\.17 \| - \|/);
  assert.match(page, /\| Tollgate \| hold and settle; accounting on \| 120 \| 6\.0 \| 1\.00 \| - \|/);
});

test('the page keeps what stands between the soak markers, whatever it is', () => {
  const soak = '<!-- soak -->\nRSS slope 0.1 MB\n\n| a | b |\n<!-- /soak -->';
  assert.ok(write(figuresOf([4]), `# Old\n\n${soak}\nmore`).includes(soak));
  assert.ok(write(figuresOf([4])).includes('<!-- soak -->\n<!-- /soak -->'));
  const again = write(figuresOf([4]), write(figuresOf([4]), soak));
  assert.equal(again.split('<!-- soak -->').length, 2);
  const fleet = '<!-- fleet soak -->\nof two nodes\n<!-- /fleet soak -->';
  const both = write(figuresOf([4]), `${soak}\n\n${fleet}\n`);
  assert.ok(both.includes(`${soak}\n\n${fleet}`));
  assert.equal(write(figuresOf([4]), both), both);
});

test('the page has bars and goals beside the figures, and says which rows are left out and that few rounds prove nothing', () => {
  const page = write(figuresOf([6]), undefined, ['--rows', 'whole-64', '--rounds', '2']);
  assert.match(
    page,
    /\| small chat, CPU per request \| <= 8 x nginx \| <= 5 x nginx \| 6\.00 \(6\.00\.\.6\.00\) \| pass \| MISS, 1\.20 times it \|/,
  );
  assert.match(page, /Rows left out \| whole-1, whole-1000/);
  assert.match(page, /Fewer than 3 rounds: these figures prove nothing/);
  assert.match(page, /## What is missing[^#]*Portkey is left out of "stream"\./);
  assert.match(page, /\| x nginx \| 1\.00 \| 6\.00 \|/);
  assert.doesNotMatch(write(figuresOf([6])), /rounds: these figures|rounds; the budget/);
  const three = write(figuresOf([6]), undefined, ['--rows', 'whole-64', '--rounds', '3']);
  assert.match(three, /3 rounds; the budget asks for the median of 5/);
});
