// Video tasks for the console to show: one that is done, one that failed, one that runs and one that is stuck.
import type { Account } from '#contract/accounts.ts';
import type { Task } from '#contract/tasks.ts';
import type { Token } from '#contract/tokens.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { waitUntil } from '../../support/wait.ts';

export interface FilledVideos {
  done: Task;
  failed: Task;
}

const MODEL = 'alpha-1.1-t2v';

export async function submitVideo(gateway: TestGateway, key: string, prompt: string): Promise<string> {
  const response = await fetch(`${gateway.address}/v1/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, prompt, seconds: '5' }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the video was not taken: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

export async function untilEnded(gateway: TestGateway, id: string): Promise<Task> {
  let task: Task | undefined;
  await waitUntil(
    async () => {
      task = await gateway.operator<Task>('GET', `/tasks/${id}`);
      return task.completed_at !== null;
    },
    `${id} does not end`,
    15_000,
  );
  return task as Task;
}

export async function fillVideos(gateway: TestGateway, account: Account): Promise<FilledVideos> {
  const { operator } = gateway;
  await operator('PUT', `/accounts/${account.id}/webhook`, { url: 'http://localhost:9/hook' });
  const { key } = await operator<Token & { key: string }>('POST', '/tokens', { account_id: account.id, name: 'films' });
  const done = await submitVideo(gateway, key, 'a lighthouse at dusk [[task-time 100]]');
  const failed = await submitVideo(gateway, key, 'a storm [[task-time 100]] [[task-blocked]]');
  await submitVideo(gateway, key, 'a long journey [[task-running]]');
  await submitVideo(gateway, key, 'a lost letter [[lose-answer]]').catch(() => {});
  return { done: await untilEnded(gateway, done), failed: await untilEnded(gateway, failed) };
}
