// Video submits with a key whose process is killed on the way (promises M-04, M-17): one key is one task and one hold.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Claims } from '../../access/idempotency/claims.ts';
import type { Endpoint, EndpointDependencies, Exchange } from '../../endpoints/endpoint.ts';
import { createVideo } from '../../endpoints/videos/videos.ts';
import { submitGeneration } from '../../endpoints/videos/generations.ts';
import type { BodyReply } from '../../relay/call.ts';
import type { LedgerOperation } from '../../store/ledger/operations.ts';
import { heartbeat, removeProcess } from '../../store/queries/processes.ts';
import type { Store } from '../../store/store.ts';
import { pollTask } from '../../tasks/poll/poll-task.ts';
import type { TaskDependencies } from '../../tasks/dependencies.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { type Answer, makeTaskWorld, says } from '../../testing/task-world.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { serveOnce } from './serve-once.ts';

const PATHS = { '/v1/video/generations': submitGeneration, '/v1/videos': createVideo } as const;
type Path = keyof typeof PATHS;
const BODY = JSON.stringify({ model: 'video-1', prompt: 'a paper boat' });
const taken = says(200, { id: 'cgt-1' });
const never = new AbortController().signal;

const principal = {
  accountId: 'acc',
  tokenId: 'tok',
  accountStatus: 'active',
  accountModels: undefined,
  tokenModels: undefined,
  group: 'default',
  mode: 'live',
  status: 'enabled',
  expiresAt: undefined,
  keyEndsAt: undefined,
  ipAllow: undefined,
  origins: undefined,
  rateSubjects: [],
  strict: false,
  fitBalance: false,
  storeBodies: undefined,
} as const;

interface Answered {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** A client that takes a whole answer, and nothing else. */
function exchangeOf(requestId: string, onAnswer: (answer: Answered) => void): Exchange {
  const headers: Record<string, string> = {};
  const reply = {
    begun: false,
    gone: false,
    onGone() {},
    setHeader(name: string, value: string | undefined) {
      if (value !== undefined) headers[name] = value;
    },
    sendWhole(status: number, more: Record<string, string>, body: Buffer) {
      onAnswer({ status, headers: { ...headers, ...more }, body: JSON.parse(body.toString()) as Answered['body'] });
    },
  } as unknown as BodyReply;
  return {
    requestId,
    method: 'POST',
    principal,
    startedAt: performance.now(),
    wildcard: '',
    query: '',
    strict: false,
    version: undefined,
    header: () => undefined,
    reply,
    sendsJson: true,
    readJson: async () => Buffer.from(BODY),
    readForm: () => Promise.reject(new Error('no form')),
    reserve: async () => () => {},
    sendJson() {},
  };
}

interface Node {
  dependencies: TaskDependencies;
  claims: Claims;
}

async function submit({ dependencies, claims }: Node, path: Path, requestId: string): Promise<Answered> {
  const endpoint: Endpoint = PATHS[path];
  let answer: Answered | undefined;
  const exchange = exchangeOf(requestId, (given) => (answer = given));
  await serveOnce(claims, { key: 'k', path, exchange, checkModel() {} }, (through) =>
    endpoint({ tasks: dependencies } as unknown as EndpointDependencies, through),
  );
  assert.ok(answer !== undefined, 'it was not answered');
  return answer;
}

/** What a process that is killed does last. */
interface Death {
  /** Is it killed around this operation? */
  at(operation: LedgerOperation): boolean;
  when: 'before' | 'after';
}

/** To all others a process that does nothing any more is dead. */
function dyingStore(store: Store, { at, when }: Death, onDeath: () => void): Store {
  const die = (): Promise<never> => {
    onDeath();
    return new Promise(() => {});
  };
  return {
    ...store,
    async commit(operation) {
      if (at(operation) && when === 'before') return die();
      const result = await store.commit(operation);
      return at(operation) ? die() : result;
    },
  };
}

const holds = ({ kind }: LedgerOperation): boolean => kind === 'hold';
const keepsId = (operation: LedgerOperation): boolean =>
  operation.kind === 'move' && operation.row.state === 'SUBMITTED';

const deaths: Record<string, Death> = {
  'its row and hold were made': { at: holds, when: 'after' },
  'the provider had taken it': { at: keepsId, when: 'before' },
  "the provider's id was stored": { at: keepsId, when: 'after' },
};

onEveryStore((open) => {
  async function prepare(t: TestContext, answer: Answer = taken) {
    const store = await open();
    await store.transaction((transaction) =>
      transaction
        .insertInto('models')
        .values({
          id: 'video-1',
          owned_by: 'test',
          endpoint_types: '[]',
          price: '{"unit":"video_tokens","generate":"0.001","video_input":"0.001"}',
          enabled: 1,
          flag: null,
          max_output_tokens: null,
          sandbox: 0,
          created: 1,
        })
        .execute(),
    );
    const now = { now: answer };
    const world = await makeTaskWorld(t, store, now);
    const box = world.dependencies.secretBox;
    const start = async (owner: string, own: Store = store): Promise<Node> => {
      await heartbeat(store, owner);
      const claims = new Claims({ store: own, box, owner, silenceSeconds: 10, waitMs: 5_000 });
      return { claims, dependencies: { ...world.dependencies, store: own, owner } };
    };
    return {
      ...world,
      answer: now,
      start,
      /** Begins in a process that is killed there. */
      async killed(path: Path, requestId: string, death: Death): Promise<void> {
        let isDead = false;
        const dying = await start(
          'proc_dead',
          dyingStore(store, death, () => (isDead = true)),
        );
        submit(dying, path, requestId).catch(() => {});
        await waitUntil(() => isDead, 'it does not die');
        await removeProcess(store, 'proc_dead');
      },
      tasks: () => store.reads.selectFrom('tasks').selectAll().orderBy('request_id').execute(),
      openHolds: () => store.reads.selectFrom('holds').select('id').execute(),
      submits: () => world.requests.filter((request) => request.startsWith('POST')).length,
    };
  }

  for (const path of Object.keys(PATHS) as Path[])
    for (const [moment, death] of Object.entries(deaths))
      test(`${path}: a retry after a crash when ${moment} is answered with that task`, async (t) => {
        const { killed, start, tasks, openHolds, submits } = await prepare(t);
        await killed(path, 'req_1', death);
        const before = [await tasks(), submits()];
        const living = await start('proc_living');
        const { status, headers, body } = await submit(living, path, 'req_2');
        assert.deepEqual([await tasks(), submits()], before, 'it was carried out again');
        const [task, ...more] = await tasks();
        assert.deepEqual([more, await openHolds()], [[], [{ id: task?.id }]]);
        const { object, model, progress, created_at } = body;
        assert.deepEqual([status, body['id'], body['task_id'], body['status']], [200, task?.id, task?.id, 'queued']);
        assert.deepEqual([object, model, progress, created_at], ['video', 'video-1', 0, task?.created_at]);
        assert.equal('completed_at' in body, path === '/v1/videos', 'in the shape of its path');
        const marks = ['idempotent-replayed', 'x-tollgate-first-request-id'];
        assert.deepEqual(
          marks.map((name) => headers[name]),
          ['true', 'req_1'],
        );
        assert.deepEqual(await submit(living, path, 'req_3'), { status, headers, body }, 'the answer is kept');
      });

  test('a retry after a crash before the row was made runs', async (t) => {
    const { killed, start, tasks, openHolds, submits } = await prepare(t);
    await killed('/v1/videos', 'req_1', { at: holds, when: 'before' });
    const { status, headers, body } = await submit(await start('proc_living'), '/v1/videos', 'req_2');
    const [task, ...more] = await tasks();
    assert.deepEqual([status, body['id'], headers['idempotent-replayed']], [200, task?.id, undefined]);
    assert.deepEqual([more, await openHolds(), submits(), task?.request_id], [[], [{ id: task?.id }], 1, 'req_2']);
  });

  test('a task that has failed meanwhile is answered as it is', async (t) => {
    const { dependencies, killed, start, tasks, openHolds, submits } = await prepare(t);
    await killed('/v1/videos', 'req_1', { at: holds, when: 'after' });
    const [made] = await tasks();
    assert.ok(made !== undefined);
    await pollTask(dependencies, made, never);
    const { status, body } = await submit(await start('proc_living'), '/v1/videos', 'req_2');
    assert.deepEqual([status, body['id'], body['status']], [200, made.id, 'failed']);
    assert.equal((body['error'] as { code: string }).code, 'submit_interrupted');
    assert.deepEqual([(await tasks()).length, await openHolds(), submits()], [1, [], 0]);
  });

  test('a submit that was refused before the crash runs again, as every refused one (contract 5)', async (t) => {
    const { killed, start, answer, tasks, openHolds } = await prepare(t, says(400, { error: { code: 'No' } }));
    await killed('/v1/videos', 'req_1', { at: ({ kind }) => kind === 'end', when: 'after' });
    answer.now = taken;
    const { status, body } = await submit(await start('proc_living'), '/v1/videos', 'req_2');
    const [refused, task, ...more] = await tasks();
    assert.deepEqual([refused?.state, refused?.charge, task?.state, more], ['FAILURE', 0n, 'SUBMITTED', []]);
    assert.deepEqual([status, body['id'], await openHolds()], [200, task?.id, [{ id: task?.id }]]);
  });
});
