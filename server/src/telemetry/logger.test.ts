import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type Logger, makeLogger } from './logger.ts';

/** Every line that was written, read back. */
function lines(level: string, work: (logger: Logger) => void): Record<string, unknown>[] {
  const written: string[] = [];
  const { logger } = makeLogger(level, { write: (line) => void written.push(line) });
  work(logger);
  return written.map((line) => {
    assert.match(line, /^[^\n]+\n$/u);
    return JSON.parse(line) as Record<string, unknown>;
  });
}

describe('lines', () => {
  test('each is one JSON object with level, time and message', () => {
    const [line] = lines('info', (logger) => logger.info({ request_id: 'req_1' }, 'done\nwell'));
    assert.deepEqual({ ...line, time: '' }, { level: 'info', time: '', request_id: 'req_1', message: 'done\nwell' });
    assert.ok(Math.abs(Date.parse(String(line?.['time'])) - Date.now()) < 10_000);
  });

  test('only the level asked for and above is written', () => {
    const logged = (level: string): unknown[] =>
      lines(level, (logger) => {
        logger.debug('a');
        logger.info('b');
        logger.error('c');
      }).map(({ message }) => message);
    assert.deepEqual(logged('debug'), ['a', 'b', 'c']);
    assert.deepEqual(logged('error'), ['c']);
    assert.deepEqual(logged('silent'), []);
  });
});

test('a log that cannot be written ends nothing (FT-09)', { skip: process.platform !== 'linux' }, async () => {
  const program = `
    const { makeLogger } = await import('./server/src/telemetry/logger.ts');
    const { logger, flush } = makeLogger('info');
    for (let line = 0; line < 1000; line++) logger.info('x'.repeat(100));
    await new Promise((resolve) => setTimeout(resolve, 1200));
    logger.info('last');
    await flush();
    process.exit(7);`;
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', full, 'pipe'] });
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  closeSync(full);
  assert.equal(code, 7, words);
});

describe('errors in a line', () => {
  const secret = 'sk-hunter2hunter2';

  test('are written without secrets', () => {
    const error = new Error(`refused ${secret}`, { cause: new Error(`with Bearer ${secret}`) });
    const [line] = lines('info', (logger) => logger.error({ error }, 'unexpected error'));
    assert.doesNotMatch(JSON.stringify(line), /hunter2/u);
    assert.partialDeepStrictEqual(line, {
      message: 'unexpected error',
      error: { name: 'Error', message: 'refused [hidden]' },
    });
  });

  test('are written without secrets too when given alone', () => {
    const [line] = lines('info', (logger) => logger.error(new Error(`refused ${secret}`)));
    assert.doesNotMatch(JSON.stringify(line), /hunter2/u);
  });
});
