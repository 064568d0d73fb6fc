// A streaming replica that lists are read from (DATABASE_READ_URL). A connection to it is handed out only when it has replayed
// everything that was committed before it was asked for: what an operator has just changed is in the list. A replica that
// does not come so far in time, or is away, is not waited for again until a look at it succeeds.
import type pg from 'pg';
import { wait } from '../../shared/wait.ts';
import type { ReplicaState } from '../store.ts';
import { ReplicaLag } from './replica-lag.ts';

export interface ReplicaPools {
  primary: Pick<pg.Pool, 'query'>;
  replica: pg.Pool;
}

export interface ReplicaLimits {
  /** For so long a list waits for the replica. */
  waitMs: number;
  /** Between two looks at a replica that works, and at one that does not. */
  lookMs: number;
  lookAgainMs: number;
}

const LIMITS: ReplicaLimits = { waitMs: 250, lookMs: 2_000, lookAgainMs: 1_000 };
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1, 16];

/** In the log of changes; comparable with others of the same system and timeline. */
interface LogPosition {
  system: string;
  timeline: number;
  position: bigint;
}

type ReplayedPosition = Omit<LogPosition, 'position'> & { position: bigint | null };

/**
 * Where the log ends that a crash cannot take back: every commit that was answered is before it. Where commits do not wait for
 * the disk, they end further on. The timeline is that of the file which is written now.
 */
const WRITTEN = `select s.system_identifier::text as system,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer as timeline,
    (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end - '0/0')::bigint as position
  from pg_control_system() s`;
/** Null where the server replays nothing. */
const REPLAYED = `select s.system_identifier::text as system, c.timeline_id as timeline,
    case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as position
  from pg_control_system() s, pg_control_checkpoint() c`;

export class ReadReplica {
  readonly #pools: ReplicaPools;
  readonly #limits: ReplicaLimits;
  readonly #lag: ReplicaLag;
  /** Where each connection was seen last: behind one address there may be several replicas. */
  readonly #seen = new WeakMap<pg.PoolClient, LogPosition>();
  #problem: string | undefined = 'it was not looked at yet';
  #onChange: ((problem: string | undefined) => void) | undefined;
  /** What was reported last: whether it works. */
  #reported: boolean | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #closed = false;
  readonly #counts = { replica: 0, primary: 0 };

  constructor(pools: ReplicaPools, limits: Partial<ReplicaLimits> = {}) {
    this.#pools = pools;
    this.#limits = { ...LIMITS, ...limits };
    this.#lag = new ReplicaLag();
    this.#lookIn(0);
  }

  get state(): ReplicaState {
    return { problem: this.#problem, lagSeconds: this.#lag.seconds(performance.now()), lists: { ...this.#counts } };
  }

  /** Hears when the replica cannot be used any more, and when it can be again. */
  follow(onChange: (problem: string | undefined) => void): void {
    this.#onChange = onChange;
    if (this.#reported !== undefined) onChange(this.#problem);
  }

  /** A connection that sees all that was committed before this call; undefined: the primary is to be asked. */
  async connect(): Promise<pg.PoolClient | undefined> {
    const client = this.#problem === undefined ? await this.#connect().catch(() => undefined) : undefined;
    this.#counts[client === undefined ? 'primary' : 'replica']++;
    return client;
  }

  /** The state after a look at it now. */
  async look(): Promise<ReplicaState> {
    await this.#connect().then(
      (client) => client?.release(),
      () => {}, // the primary is away: nothing is known
    );
    return this.state;
  }

  /** A statement failed on a connection that was handed out. */
  failed(error: unknown): void {
    this.#note(`it failed: ${reasonOf(error)}`);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#pools.replica.end();
  }

  /** Throws where the primary cannot be asked, which says nothing of the replica. */
  async #connect(): Promise<pg.PoolClient | undefined> {
    const { rows } = await this.#pools.primary.query<LogPosition>({ name: 'written', text: WRITTEN });
    const [wanted] = rows;
    if (wanted === undefined) return undefined;
    this.#lag.written(wanted.position, performance.now());
    let client: pg.PoolClient | undefined;
    try {
      client = await this.#pools.replica.connect();
      const problem = await this.#reach(client, wanted);
      this.#note(problem);
      if (problem === undefined) return client;
      client.release();
    } catch (error) {
      client?.release(true);
      if (client === undefined && this.#isFull) return undefined;
      this.#note(`it does not answer: ${reasonOf(error)}`);
    }
    return undefined;
  }

  /** All of its connections are in use: that is no fault of the replica. */
  get #isFull(): boolean {
    const { totalCount, idleCount, options } = this.#pools.replica;
    return idleCount === 0 && totalCount >= options.max;
  }

  /** Why the server of this connection cannot be read from. */
  async #reach(client: pg.PoolClient, wanted: LogPosition): Promise<string | undefined> {
    const seen = this.#seen.get(client);
    if (seen?.timeline === wanted.timeline && seen.position >= wanted.position) return undefined;
    const until = performance.now() + this.#limits.waitMs;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const { rows } = await client.query<ReplayedPosition>({ name: 'replayed', text: REPLAYED });
      const [{ system, timeline, position } = { ...wanted, position: null }] = rows;
      if (position === null) return 'it is no streaming replica';
      if (system !== wanted.system) return 'it is a replica of another database';
      if (timeline !== wanted.timeline) return 'it follows another timeline than the primary';
      this.#lag.replayed(position);
      this.#seen.set(client, { system, timeline, position });
      if (position >= wanted.position) return undefined;
      if (performance.now() >= until || this.#closed) return 'it lags behind the primary';
      await wait(pause);
    }
  }

  #note(problem: string | undefined): void {
    this.#problem = problem;
    if (this.#closed || this.#reported === (problem === undefined)) return;
    this.#reported = problem === undefined;
    this.#onChange?.(problem);
  }

  #lookIn(milliseconds: number): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.look().then(({ problem }) =>
        this.#lookIn(problem === undefined ? this.#limits.lookMs : this.#limits.lookAgainMs),
      );
    }, milliseconds).unref();
  }
}

/** A code where the message may repeat the address. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}
