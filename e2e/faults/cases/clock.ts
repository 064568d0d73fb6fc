// The clock of a process jumps (FT-10): holds and tasks end neither early nor late by it, and durations stay sane.
import assert from 'node:assert/strict';
import type { Clock } from '../../../server/src/shared/clock.ts';
import { pause } from '../../support/wait.ts';
import { chat, type JournalEntry } from '../chat-client.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { Operator, TOKENS_MODEL, untilOffered } from '../operator.ts';
import { readBooks, withStore } from '../reconcile.ts';
import { reconcile } from '../rig/records/four-sums.ts';
import { startOwnGateway } from '../rig/own-gateway.ts';
import { StubProvider } from '../rig/providers/stub-provider.ts';
import {
  checkTasks,
  readTasks,
  startStubbedVideos,
  submitVideo,
  untilTasksEnded,
} from '../rig/providers/video-side.ts';

const HOUR_MS = 3_600_000;
const TASKS = 40;

class JumpingClock implements Clock {
  offset = 0;
  now(): number {
    return Date.now() + Math.round(this.offset);
  }
}

export const jumpingClock: Fault = {
  id: 'FT-10',
  title: 'the clock of a gateway jumps by an hour, both ways, and is smeared',
  stores: BOTH,
  rounds: 1,
  async run(bench) {
    const settings = await bench.makeSettings();
    const clock = new JumpingClock();
    const stub = await StubProvider.start();
    bench.atEnd(() => stub.stop());
    const gateway = await startOwnGateway(settings, { clock });
    bench.atEnd(() => gateway.stop(1_000));
    const { address } = gateway;
    const operator = new Operator(address);
    await operator.offerModels(stub.baseUrl);
    const videos = await startStubbedVideos(operator);
    bench.atEnd(() => videos.stub.stop());
    const { key } = await operator.addToken(await operator.addAccount('1000000'));
    await untilOffered(address, key, videos.model);
    const journal: JournalEntry[] = [];
    const ids: string[] = [];
    const startedAt = Math.floor(Date.now() / 1000);

    for (let round = 0; round < bench.rounds; round++) {
      for (const jump of [HOUR_MS, -HOUR_MS, 'smear'] as const) {
        videos.stub.script = ['queued', 'running', 'running', 'running', 'running', 'succeeded'];
        const submitted = await Promise.all(
          Array.from({ length: TASKS }, (_, index) => submitVideo(address, key, `clock ${round} ${jump} ${index}`)),
        );
        ids.push(...submitted.flatMap(({ id }) => id ?? []));
        stub.script = () => ({ pieces: 20, paceMs: 100 });
        const streams = Array.from({ length: 10 }, (_, index) =>
          chat({
            address,
            key,
            model: TOKENS_MODEL,
            text: 'Hello',
            stream: true,
            maxTokens: 1_000 + journal.length + index,
          }),
        );
        await pause(300);
        const polls = videos.stub.polls;
        if (jump === 'smear') {
          for (let step = 0; step < 20; step++) {
            clock.offset += 50;
            await pause(50);
          }
        } else clock.offset += jump;
        await pause(500);
        const burst = videos.stub.polls - polls;
        assert.ok(burst <= TASKS * 15, `${burst} polls within half a second of the jump`);
        const entries = await Promise.all(streams);
        for (const { status, complete, failure } of entries)
          assert.deepEqual([status, complete, failure], [200, true, undefined], `a stream over the jump by ${jump}`);
        journal.push(...entries);
        assert.equal(
          (await readTasks(settings)).filter(({ state }) => state === 'FAILURE').length,
          0,
          'a task ended early',
        );
        await untilTasksEnded(settings, 20_000);
        clock.offset = 0;
      }
    }
    await untilTasksEnded(settings, 20_000);
    checkTasks(await readTasks(settings), await readBooks(settings), { stub: videos.stub, ids });
    await withStore(settings, async ({ reads }) => {
      for (const { total_ms, first_byte_ms, created_at } of await reads.selectFrom('requests').selectAll().execute()) {
        assert.ok(total_ms >= 0 && (first_byte_ms ?? 0) >= 0, `a duration of ${total_ms} ms`);
        assert.ok(Math.abs(created_at - startedAt) < 2 * 3_600, `created_at ${created_at}`);
      }
    });
    return reconcile(settings, { journal, records: stub.records, videos: ids });
  },
};
