// Holds every answer that a gateway gives to `fetch` in this process against the vendors' published types (contract-2 7). For
// suites whose upstream is the sandbox: what a hostile upstream says is passed on as it came. Not for suites whose clients
// leave, because an answer that is watched is read to its end.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { checkGiven } from '../../server/src/testing/vendor-schemas/check-answer.ts';

/** Undefined where the answer was broken off on purpose. */
async function readAll(response: Response): Promise<string | undefined> {
  try {
    return await response.text();
  } catch {
    return undefined;
  }
}

export function watchAnswers({ address }: { address: string }): void {
  const problems = new Set<string>();
  const readings: Promise<void>[] = [];
  const plainFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await plainFetch(input, init);
    const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method ?? 'GET' };
    if (url.startsWith(address) && /^\/v[12]/.test(url.slice(address.length)))
      readings.push(read(response.clone(), { url, method }));
    return response;
  };
  const read = async (response: Response, { url, method }: { url: string; method: string }): Promise<void> => {
    const path = new URL(url).pathname;
    const contentType = response.headers.get('content-type') ?? '';
    const text = await readAll(response);
    if (text === undefined) return;
    try {
      checkGiven({ method, path, status: response.status, contentType, text });
    } catch (error) {
      problems.add(`${method} ${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  after(async () => {
    globalThis.fetch = plainFetch;
    await Promise.all(readings);
    assert.deepEqual([...problems], []);
  });
}
