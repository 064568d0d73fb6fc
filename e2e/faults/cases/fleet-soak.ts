// Two gateways on one PostgreSQL and one Redis for as long as is asked, with faults sprinkled in (SOAK-FLEET): memory and
// handles of the gateway that nobody kills stay where they are, quick calls take as long at the end as at the start, and the
// books are equal.
import assert from 'node:assert/strict';
import { loadavg } from 'node:os';
import { pause } from '../../support/wait.ts';
import type { Fault } from '../command/fault.ts';
import type { JournalEntry } from '../chat-client.ts';
import { addLimited } from '../rig/clients/limited-calls.ts';
import { Load } from '../rig/clients/load.ts';
import { quantile } from '../rig/clients/quantile.ts';
import { spoilCall } from '../rig/providers/spoilt-calls.ts';
import { untilAllEnded } from '../rig/providers/video-side.ts';
import { type FleetSample, fleetTable } from '../rig/records/fleet-table.ts';
import { openHandles, residentBytes } from '../rig/records/process-facts.ts';
import { settleAll } from '../rig/records/settle-all.ts';
import { flatness, slopeOf, SoakWatch } from '../rig/records/soak-watch.ts';
import type { Rig } from '../rig/rig.ts';
import { Sprinkler } from '../rig/sprinkler.ts';

const SECONDS = 120;
const QUARTER_SECONDS = 900;
const WARM_UP_PART = 0.25;
/** MiB in ten minutes (promise B-04), where the run is long enough to tell it from the collector's noise. */
const MOST_SLOPE = 1;
const LEAST_SECONDS = 1_800;
const MOST_MORE_HANDLES = 60;
/** Of a core, for each gateway. */
const CORE = 0.3;
const LIMITS = { first_byte_ms: 5_000, idle_ms: 5_000, total_ms: 60_000 };
const POLLS = { TOLLGATE_TASK_POLL_MS: '1000' };
/** Of each gateway: nine that chat, one that asks for videos. */
const CLIENTS = { clients: 10, videoShare: 0.1, isLong: true, pauseMs: 500 };
/** Else those of a dead gateway would call it hundreds of times a second. */
const LEAST_PAUSE_MS = 300;
const VICTIM = 1;
/** Every window is asked for in Redis, and none is ever full. */
const RATE = { rpm: 1_000_000 };
/** What a gateway that lives may answer while something else is broken. */
const ANSWERS = new Set([200, 500, 502, 503, 504]);

const isWhole = ({ status, complete, code }: JournalEntry): boolean => status === 200 && complete && code === undefined;

function otherOf(rig: Rig): FleetSample['other'] {
  const { child } = rig.gateway(VICTIM);
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return undefined;
  try {
    const resident = residentBytes(child.pid) / 2 ** 20;
    if (Number.isNaN(resident)) return undefined; // dead, and nobody has asked how it ended
    return { resident, handles: openHandles(child.pid) };
  } catch {
    return undefined; // killed this moment
  }
}

export const fleetSoak: Fault = {
  id: 'SOAK-FLEET',
  title: 'a soak of two gateways on PostgreSQL and Redis with faults sprinkled in',
  stores: ['postgres'],
  rounds: 1,
  isSoak: true,
  async run(bench) {
    const { random, core = CORE, seconds: length = SECONDS } = bench;
    const rig = await bench.startRig({
      gateways: 2,
      redis: true,
      videos: true,
      databaseProxy: true,
      options: LIMITS,
      start: { environment: POLLS },
    });
    rig.key = await addLimited(rig, RATE);
    const [survivor] = rig.gateways;
    const spoil = (call: { stream: boolean }) => spoilCall(random, call);
    const loads = [0, VICTIM].map((gateway) => new Load(rig, { ...CLIENTS, random, gateway, spoil }));
    const watch = new SoakWatch(rig);
    const sprinkler = new Sprinkler(rig, { random, seconds: length, victim: VICTIM });
    const samples: FleetSample[] = [];
    const every = Math.min(60, length / 16);
    for (const until = performance.now() + length * 1000; performance.now() < until;) {
      const sample = await watch.sample(every);
      const journal = loads.flatMap((load) => load.journal);
      samples.push({
        ...sample,
        calls: journal.length,
        spoilt: journal.filter((entry) => !isWhole(entry)).length,
        other: otherOf(rig),
        machine: loadavg()[0] ?? Number.NaN,
        faults: sum(Object.values(sprinkler.counts)),
      });
      const { quick: _, ...shown } = samples.at(-1) ?? {};
      process.stderr.write(`\n  ${JSON.stringify(shown)}`);
      for (const load of loads)
        load.pauseMs = Math.max(
          LEAST_PAUSE_MS,
          Math.min(5_000, (load.pauseMs ?? 0) + (sample.processor - core) * 1_000),
        );
    }
    await sprinkler.end();
    await Promise.all([...loads.map((load) => load.end()), watch.end()]);

    const { counts } = sprinkler;
    const warm = samples.filter(({ seconds }) => seconds > length * WARM_UP_PART);
    const slope = slopeOf(warm) * 600;
    const quarters = [warm.slice(0, Math.ceil(warm.length / 3)), warm.slice(-Math.ceil(warm.length / 3))];
    const handles = quarters.map((part) =>
      quantile(
        part.map((sample) => sample.handles),
        0.5,
      ),
    );
    const videos = loads.flatMap(({ submits }) => submits).length;
    const facts =
      `${(length / 60).toFixed(0)} min, ${rig.journal.length} chats and ${videos} submits of videos; ` +
      `Redis killed ${counts.redisKills} times, connections to PostgreSQL cut ${counts.postgresCuts} times and refused ${counts.postgresOutages} times, ` +
      `one gateway killed ${counts.gatewayKills} times; after the warm-up memory of the other ${slope.toFixed(2)} MiB per 10 min, ` +
      `handles ${flatness(warm.map((sample) => sample.handles))}, timers ${flatness(warm.map(({ timers }) => timers))}`;
    bench.note(facts);
    bench.note(`answers: ${JSON.stringify(Object.fromEntries(countBy(rig.journal)))}`);
    const quarter = Math.min(QUARTER_SECONDS, length / 8);
    bench.figures(`${facts}.\n\n${fleetTable(samples, { length, quarter })}`);
    await pause(500);
    await untilAllEnded(rig.settings, { deadAt: sprinkler.deadAt, timeoutMs: 600_000 });
    const sums = await settleAll(bench, rig, {
      ids: loads.flatMap(({ taskIds }) => taskIds),
      deadAt: sprinkler.deadAt,
    });
    bench.figures(
      `Books equal: ${sums.calls} chats, ${sums.answered} read whole; ledger and balances ${sums.ledger} nano-units, ` +
        `of them ${sums.upstream} as the provider reported and ${sums.counted} counted here.`,
    );
    for (const entry of loads[0]?.journal ?? [])
      assert.ok(ANSWERS.has(entry.status ?? 0), `the living gateway: ${entry.failure ?? entry.status}`);
    assert.ok(survivor?.child.exitCode === null && survivor.child.signalCode === null, survivor?.lastWords());
    if (length >= LEAST_SECONDS) assert.ok(slope < MOST_SLOPE, `${slope.toFixed(2)} MiB per 10 min`);
    assert.ok((handles[1] ?? 0) < (handles[0] ?? 0) + MOST_MORE_HANDLES, `handles grow: ${handles.join(' to ')}`);
    return sums;
  },
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Calls by what became of them. */
function countBy(journal: readonly JournalEntry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of journal) {
    const name = isWhole(entry)
      ? '200 whole'
      : entry.status === 200
        ? '200 broken off'
        : String(entry.status ?? 'none');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
