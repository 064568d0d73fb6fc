// kill -9 of a gateway in the middle of a video submit with an idempotency key (FT-02): the retry is answered with the task
// that was made, and nothing is held or charged a second time (promises M-04, M-17).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onEveryStoreSettings } from '../../server/src/testing/stores.ts';
import { waitUntil } from '../support/wait.ts';
import type { AbortPoint } from './armed/abort-points.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { Operator, untilOffered } from './operator.ts';
import { checkBooks, readBooks, untilNoOpenHold } from './reconcile.ts';
import { checkTasks, QUICK_POLLS, readTasks, startStubbedVideos } from './rig/providers/video-side.ts';

const ARMED = 'e2e/faults/armed/main.ts';
/** No call comes that often to the place. */
const NEVER = '1000000';
/** What becomes of the task, by the place where its process dies. */
const ENDS: readonly [AbortPoint, string][] = [
  ['after-hold', 'FAILURE'],
  ['after-upstream-id', 'SUCCESS'],
  ['after-upstream-id-stored', 'SUCCESS'],
];

describe('kill -9 in the middle of a submit with a key', { concurrency: true }, () => {
  onEveryStoreSettings((makeSettings) => {
    for (const [point, end] of ENDS)
      test(`${point}: the retry gets the task of the first`, async (t) => {
        const settings = await makeSettings();
        const start = { environment: QUICK_POLLS };
        const armed = await startGatewayProcess(settings, { ...start, program: [ARMED, point, '1'] });
        t.after(() => armed.end('SIGKILL'));
        const operator = new Operator(armed.address);
        const { model, stub } = await startStubbedVideos(operator);
        t.after(() => stub.stop());
        const { key } = await operator.addToken(await operator.addAccount('100'));
        await untilOffered(armed.address, key, model);
        const submit = (): Promise<Response> =>
          fetch(`${armed.address}/v1/videos`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
            body: JSON.stringify({ model, prompt: 'a paper boat' }),
          });

        await assert.rejects(submit());
        await waitUntil(() => armed.child.signalCode !== null, `${point} was never reached`);
        const gateway = await startGatewayProcess(settings, {
          ...start,
          program: [ARMED, point, NEVER],
          port: armed.port,
        });
        t.after(() => gateway.end('SIGKILL'));
        const retries = await Promise.all([submit(), submit()]);
        const bodies = await Promise.all(retries.map((response) => response.text()));
        for (const [index, { status }] of retries.entries()) assert.equal(status, 200, bodies[index]);
        assert.equal(bodies[0], bodies[1]);

        await untilNoOpenHold(settings, 30_000);
        const [tasks, books] = [await readTasks(settings), await readBooks(settings)];
        const { id } = JSON.parse(bodies[0] ?? '') as { id: string };
        assert.deepEqual(
          tasks.map((task) => [task.id, task.state]),
          [[id, end]],
        );
        assert.equal(stub.submits, end === 'SUCCESS' ? 1 : 0);
        checkBooks(books);
        checkTasks(tasks, books, { stub, ids: [id] });
        for (const { headers } of retries) assert.equal(headers.get('idempotent-replayed'), 'true');
      });
  });
});
