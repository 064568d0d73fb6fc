// Many live video tasks on one process: how soon each is seen to be done, and what a kill -9 in their middle leaves. The
// gateway is one of its own, because it does not survive.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../processes/free-port.ts';
import { callOperator, type Gateway, readText } from '../../relays/call-operator.ts';
import { waitUntilAnswering } from '../../relays/wait-until-answering.ts';
import { quantile } from '../../report/figures.ts';
import { startVideoUpstream, type VideoTask, type VideoUpstream } from '../../upstream/video-upstream.ts';
import type { Row, RowContext } from '../row.ts';

const clients = 32;
const timeoutMs = 120_000;
const model = 'bench-video';

interface Scene extends Gateway {
  context: RowContext;
  server: RowContext['options']['servers'][number];
  upstream: VideoUpstream;
  dataFolder: string;
  port: number;
}

async function startGateway({ context, server, dataFolder, port, operatorKey, address }: Scene): Promise<ChildProcess> {
  const { processes, options } = context;
  const name = `${server.name} of the tasks row`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? processes.folder,
    PORT: String(port),
    TOLLGATE_DATA_DIR: dataFolder,
    TOLLGATE_OPERATOR_KEY: operatorKey,
    TOLLGATE_SANDBOX: 'off',
    TOLLGATE_TASK_POLL_MS: String(options.taskPollMs),
    LOG_LEVEL: 'warn',
  };
  const child = processes.start({ name, core: 'relay', program: process.execPath, args: [server.file], env });
  await waitUntilAnswering({ name, url: `${address}/readyz`, child, processes });
  return child;
}

async function setUp(scene: Scene): Promise<string> {
  const accountId = readText(await callOperator(scene, 'POST', '/accounts', { name: 'bench' }), 'id');
  await callOperator(scene, 'POST', `/accounts/${accountId}/credits`, { amount: '1000000', note: 'benchmark' });
  const price = { unit: 'video_tokens', generate: '7', video_input: '4.3' };
  await callOperator(scene, 'PUT', `/models/${model}`, { endpoint_types: ['compat-video'], price });
  await callOperator(scene, 'POST', '/channels', {
    name: 'bench-video',
    provider: 'beta-video',
    base_url: scene.upstream.baseUrl,
    keys: ['k'],
    models: { [model]: 'upstream-video' },
  });
  return readText(await callOperator(scene, 'POST', '/tokens', { account_id: accountId, name: 'bench' }), 'key');
}

async function submitAll({ context, address }: Scene, key: string): Promise<void> {
  let left = context.options.liveTasks;
  const submitSome = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const response = await fetch(`${address}/v1/video/generations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, prompt: 'a street in the rain' }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`a submit answered ${response.status}: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, submitSome));
}

/** Each becomes done at a moment of its own within the next two intervals. */
function finishSome(tasks: readonly VideoTask[], intervalMs: number): void {
  for (const task of tasks) task.doneAt = Date.now() + Math.random() * 2 * intervalMs;
}

async function untilSeen(tasks: readonly VideoTask[]): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (tasks.some((task) => task.seenAt === undefined)) {
    if (Date.now() > deadline) throw new Error('some tasks were not seen to be done in time');
    await pause(20);
  }
}

interface TaskAnswer {
  status: string;
  history: { status: string }[];
}

/** Tasks that are not done, or ended more than once, or were charged or submitted more than once. */
async function countWrong(scene: Scene): Promise<number> {
  const tasks = await listAll<TaskAnswer>(scene, '/tasks');
  const settles = await listAll<{ task_id: string }>(scene, '/ledger?kind=settle');
  const badEnds = tasks.filter(
    ({ status, history }) => status !== 'SUCCESS' || history.filter((one) => one.status === 'SUCCESS').length !== 1,
  );
  const { liveTasks } = scene.context.options;
  const charged = new Set(settles.map(({ task_id }) => task_id)).size;
  return (
    badEnds.length +
    Math.abs(tasks.length - liveTasks) +
    Math.abs(settles.length - liveTasks) +
    Math.abs(charged - liveTasks) +
    Math.abs(scene.upstream.tasks.length - liveTasks)
  );
}

async function listAll<T>(scene: Scene, path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `${path}${path.includes('?') ? '&' : '?'}limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = (await callOperator(scene, 'GET', query)) as { data: T[]; next_cursor: string | null };
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

async function measureServer(context: RowContext, server: Scene['server']): Promise<void> {
  const { figures, options, notes, processes } = context;
  const port = await findFreePort();
  const dataFolder = join(processes.folder, `tasks-${port}`);
  mkdirSync(dataFolder);
  const upstream = await startVideoUpstream();
  const operatorKey = randomBytes(24).toString('hex');
  const scene: Scene = {
    context,
    server,
    upstream,
    dataFolder,
    port,
    operatorKey,
    address: `http://127.0.0.1:${port}`,
  };
  let gateway = await startGateway(scene);
  try {
    await submitAll(scene, await setUp(scene));
    const [calm, killed] = [
      upstream.tasks.filter((_, index) => index % 2 === 0),
      upstream.tasks.filter((_, index) => index % 2 === 1),
    ];
    await pause(options.taskPollMs);
    finishSome(calm, options.taskPollMs);
    await untilSeen(calm);
    const late = calm.map(({ doneAt, seenAt }) => (100 * ((seenAt ?? Infinity) - doneAt)) / options.taskPollMs);
    figures.add('tasks.seen', server.name, quantile(late, 0.5));
    figures.add('tasks.seenLate', server.name, quantile(late, 0.99));

    finishSome(killed, options.taskPollMs);
    await pause(options.taskPollMs);
    await processes.kill(gateway);
    gateway = await startGateway(scene);
    const restartedAt = Date.now();
    await untilSeen(killed);
    figures.add('tasks.resumed', server.name, (Date.now() - restartedAt) / 1000);
    await pause(15_000); // a task that was set to be done by the process that died is asked about again
    figures.add('tasks.wrong', server.name, await countWrong(scene));
    notes.push(
      `${server.name}: ${options.liveTasks} live tasks, asked about every ${options.taskPollMs} ms, ${upstream.polls()} polls.`,
    );
  } finally {
    await processes.kill(gateway);
    upstream.stop();
  }
}

export const tasks: Row = {
  name: 'tasks',
  async after(context) {
    for (const server of context.options.servers) await measureServer(context, server);
  },
};
