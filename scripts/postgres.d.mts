/** Starts a private PostgreSQL; see postgres.mjs. */
export function startPostgres(): Promise<{ url: string; pid: number; stop(): Promise<void> }>;
