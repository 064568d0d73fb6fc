export interface StartedPostgres {
  url: string;
  pid: number;
  endNow(): void;
  stop(): Promise<void>;
}

/** Starts a private PostgreSQL; see postgres.mjs. */
export function startPostgres(
  parent?: string,
  options?: { settings?: string[]; prefix?: readonly string[] },
): Promise<StartedPostgres & { data: string }>;

/** Starts a streaming replica of it. */
export function startReplica(primary: { url: string; data: string }): Promise<StartedPostgres>;
