// Faults sprinkled over a long run, at random times: Redis killed, connections to PostgreSQL cut, one gateway killed. Each is
// mended before the next of its kind.
import assert from 'node:assert/strict';
import { pause } from '../../support/wait.ts';
import type { Random } from '../random.ts';
import type { StubState } from '../../support/video-stub.ts';
import type { Rig } from './rig.ts';

/** Seconds between two of a kind, in a run of half an hour and more; a shorter one has them closer together. */
const REST = { redis: [180, 600], postgres: [60, 240], gateway: [300, 900], videos: [20, 60] } as const;
const FULL_SECONDS = 1_800;
/** Bytes that a connection still carries before it is cut. */
const CUT_BYTES = { least: 1, most: 12_000 };
/** Videos made from then on, by the polls that tell of them. */
const VIDEOS: readonly StubState[][] = [
  ['queued', 'running', 'succeeded'],
  ['running', 500, 'succeeded'],
  ['running', 'failed'],
];

export interface Sprinkled {
  redisKills: number;
  postgresCuts: number;
  /** Times that PostgreSQL let nobody in for a while. */
  postgresOutages: number;
  gatewayKills: number;
  /** Starts that failed because the database was cut off just then, and were tried again. */
  failedStarts: number;
}

export class Sprinkler {
  readonly counts: Sprinkled = { redisKills: 0, postgresCuts: 0, postgresOutages: 0, gatewayKills: 0, failedStarts: 0 };
  /** Date.now() of the last kill of a gateway. */
  deadAt = 0;
  readonly #rig: Rig;
  readonly #random: Random;
  readonly #scale: number;
  readonly #over = new AbortController();
  readonly #loops: Promise<void>[];
  readonly #failures: unknown[] = [];

  /** Kills the gateway of this number, and no other. */
  constructor(rig: Rig, { random, seconds, victim }: { random: Random; seconds: number; victim: number }) {
    this.#rig = rig;
    this.#random = random;
    this.#scale = Math.min(1, seconds / FULL_SECONDS);
    this.#loops = [
      this.#onAndOn(REST.redis, () => this.#killRedis()),
      this.#onAndOn(REST.postgres, () => this.#cutPostgres()),
      this.#onAndOn(REST.gateway, () => this.#killGateway(victim)),
      this.#onAndOn(REST.videos, () => this.#changeVideos()),
    ];
  }

  /** Resolves when everything is well again; throws what went wrong with the faults themselves. */
  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#loops);
    assert.deepEqual(this.#failures, [], 'faults that could not be made or mended');
  }

  async #onAndOn([least, most]: readonly [number, number], fault: () => Promise<void>): Promise<void> {
    for (;;) {
      await this.#rest(this.#random.whole(least * 1000, most * 1000) * this.#scale);
      if (this.#over.signal.aborted) return;
      await fault().catch((error: unknown) => this.#failures.push(error));
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (!this.#over.signal.aborted && performance.now() < until) await pause(200);
  }

  async #killRedis(): Promise<void> {
    const { redis } = this.#rig;
    assert.ok(redis !== undefined);
    await redis.kill();
    this.counts.redisKills++;
    await this.#rest(this.#random.whole(3_000, 30_000));
    await redis.startAgain();
  }

  async #cutPostgres(): Promise<void> {
    const { databaseProxy: proxy } = this.#rig;
    assert.ok(proxy !== undefined);
    if (this.#random.chance(0.25)) {
      proxy.refuse();
      this.counts.postgresOutages++;
      await pause(this.#random.whole(500, 4_000));
      proxy.heal();
    } else if (this.#random.chance(0.3)) {
      proxy.closeAll();
      this.counts.postgresCuts++;
    } else {
      const after = this.#random.whole(CUT_BYTES.least, CUT_BYTES.most);
      proxy.arm({ after, direction: this.#random.chance(0.5) ? 'up' : 'down', how: 'reset' });
      this.counts.postgresCuts++;
    }
  }

  async #killGateway(index: number): Promise<void> {
    const gateway = this.#rig.gateway(index);
    await gateway.end('SIGKILL');
    this.deadAt = Date.now();
    this.counts.gatewayKills++;
    await pause(this.#random.whole(0, 8_000));
    for (;;) {
      try {
        await this.#rig.startAt(index, gateway.port);
        return;
      } catch (error) {
        this.counts.failedStarts++;
        assert.ok(this.counts.failedStarts < 20, String(error));
      }
    }
  }

  async #changeVideos(): Promise<void> {
    const { videos } = this.#rig;
    if (videos !== undefined) videos.stub.script = VIDEOS[this.#random.whole(0, VIDEOS.length - 1)] ?? [];
  }
}
