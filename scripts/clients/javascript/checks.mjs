// What every driver shares: where the gateway is, one line of JSON for each check, and samples.
import { readFileSync } from 'node:fs';

export const URL_OF_GATEWAY = process.env.TOLLGATE_URL;
export const TOKEN = process.env.TOLLGATE_TOKEN;
export const [CHAT, MESSAGES, GENERATE] = ['sandbox-chat', 'sandbox-messages', 'sandbox-generate'];
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PICTURE = `data:image/png;base64,${PNG}`;
export const WEATHER = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const print = (report) => process.stdout.write(`${JSON.stringify(report)}\n`);

/** What the function gives is the name of a loss; nothing means that all works. */
export async function check(name, run) {
  try {
    const loss = await run();
    print({ check: name, result: loss === undefined ? 'works' : 'loss', note: loss ?? '' });
  } catch (error) {
    print({ check: name, result: 'no', note: `${error.name}: ${error.message}`.slice(0, 400) });
  }
}

export function expect(isTrue, what) {
  if (!isTrue) throw new Error(`unexpected: ${JSON.stringify(what)}`.slice(0, 300));
}

export async function raises(isExpected, run) {
  try {
    await run();
  } catch (error) {
    if (!isExpected(error)) throw error;
    return;
  }
  throw new Error('no error was raised');
}

export function versionOf(name) {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  print({ version });
}
