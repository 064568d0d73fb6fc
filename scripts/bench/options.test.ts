import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './options.ts';
import { rowNames } from './row-names.ts';

const paths = { server: '/dist/main.js', document: '/docs/benchmarks.md' };

function read(...words: string[]) {
  const options = readOptions(words, paths);
  assert.ok(options);
  return options;
}

test('without any word everything is measured in five rounds, and written down', () => {
  const options = read();
  assert.deepEqual(options.rows, rowNames);
  assert.equal(options.rounds, 5);
  assert.equal(options.relays, undefined);
  assert.equal(options.document, '/docs/benchmarks.md');
  assert.deepEqual(options.servers, [{ name: 'Tollgate', file: '/dist/main.js' }]);
});

test('the beginning of a name stands for all rows that begin so', () => {
  assert.deepEqual(read('--rows', 'whole,paced').rows, ['whole-1', 'whole-64', 'whole-1000', 'paced']);
  assert.deepEqual(read('--rows', 'whole-64').rows, ['whole-64']);
});

test('a row or relay that does not exist is named, beside those that do', () => {
  assert.throws(() => read('--rows', 'whale'), /no row "whale"; rows are whole-1, /);
  assert.throws(() => read('--relays', 'nginx,apache'), /no relay "apache"; relays are direct, nginx, /);
});

test('a number out of bounds is refused with the option and its bounds', () => {
  assert.throws(() => read('--rounds', '0'), /--rounds must be a number from 1 to 50, not "0"/);
  assert.throws(() => read('--seconds', ''), /--seconds must be/);
  assert.throws(() => read('--rate', 'fast'), /--rate must be/);
});

test('an address has a name, a prefix before /v1, and the key and model at its place', () => {
  const given = '--address mine=http://127.0.0.1:4000/base/v1/ --address http://localhost:5000 --key sk-1';
  const { addresses, relays } = read(
    ...`${given} --model a --model b --relays MINE,nginx --does accounting`.split(' '),
    '--pid',
    '',
    '--pid',
    '7, 8',
  );
  assert.deepEqual(addresses, [
    {
      name: 'mine',
      host: '127.0.0.1',
      port: 4000,
      prefix: '/base',
      key: 'sk-1',
      model: 'a',
      does: 'accounting',
      pids: [],
    },
    {
      name: 'localhost:5000',
      host: 'localhost',
      port: 5000,
      prefix: '',
      key: undefined,
      model: 'b',
      does: undefined,
      pids: [7, 8],
    },
  ]);
  assert.deepEqual(relays, ['mine', 'nginx']);
});

test('an address with TLS, a key without an address and a name given twice are refused', () => {
  assert.throws(() => read('--address', 'https://127.0.0.1:4000'), /--address takes http:/);
  assert.throws(() => read('--key', 'sk-1'), /more keys than addresses/);
  assert.throws(() => read('--address', 'NGINX=http://127.0.0.1:1'), /a name of its own/);
  assert.throws(() => read('--also', 'Tollgate=/x.js'), /a name of its own/);
});

test('process ids are numbers, and no more than there are addresses', () => {
  const address = ['--address', 'http://127.0.0.1:1'];
  assert.throws(
    () => read(...address, '--pid', '12,x'),
    /--pid takes process ids such as 4711 or 4711,4712, not "12,x"/,
  );
  assert.throws(() => read(...address, '--pid', '1', '--pid', '2'), /more process ids than addresses/);
});

test('a program of a known peer is taken by its name, one time each', () => {
  assert.deepEqual(read('--peer', 'Bifrost=/opt/bifrost', '--peer', 'new-api=/opt/a=b').peers, {
    bifrost: '/opt/bifrost',
    'new-api': '/opt/a=b',
  });
  assert.deepEqual(read().peers, {});
  assert.throws(
    () => read('--peer', 'kong=/opt/kong'),
    /one of bifrost, new-api, portkey, litellm, not "kong=\/opt\/kong"/,
  );
  assert.throws(() => read('--peer', 'litellm'), /--peer takes NAME=FILE/);
  assert.throws(() => read('--peer', 'litellm=/a', '--peer', 'LiteLLM=/b'), /litellm is given twice/);
  assert.deepEqual(read('--relays', 'bifrost,NEW-API,tollgate-pg').relays, ['bifrost', 'new-api', 'tollgate-pg']);
});

test('a profile looks at Tollgate alone, and at one row by default', () => {
  const { rows, relays } = read('--profile');
  assert.deepEqual(rows, ['whole-64']);
  assert.deepEqual(relays, ['tollgate']);
  assert.deepEqual(read('--profile', '--rows', 'stream').rows, ['stream']);
});

test('the document is written to its place, or to another', () => {
  assert.equal(read('--rounds', '5').document, undefined, 'a run that is asked for something may be no whole one');
  assert.equal(read('--write').document, '/docs/benchmarks.md');
  assert.equal(read('--to', '/tmp/x.md').document, '/tmp/x.md');
});
