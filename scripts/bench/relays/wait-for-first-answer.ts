// Waits until a chat through a relay brings the upstream's own answer. The last answer it got instead is the error.
import { setTimeout as pause } from 'node:timers/promises';
import { answerMark } from '../upstream/answers.ts';
import type { Target } from '../wire/chat-request.ts';

const usualTimeoutMs = 10_000;

export async function waitForFirstAnswer(target: Target, timeoutMs = usualTimeoutMs): Promise<void> {
  const { host, port, path, headers, model } = target;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const response = await fetch(`http://${host}:${port}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(30_000),
      body: JSON.stringify({ model, max_tokens: 200, messages: [{ role: 'user', content: 'hello' }] }),
    });
    const text = await response.text();
    if (response.status === 200 && text.includes(answerMark)) return;
    // A change by an operator may take up to two seconds to be seen everywhere.
    if (Date.now() > deadline) {
      throw new Error(`the first request to ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    }
    await pause(100);
  }
}
