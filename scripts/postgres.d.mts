/** Starts a private PostgreSQL; see postgres.mjs. */
export function startPostgres(
  parent?: string,
): Promise<{ url: string; pid: number; endNow(): void; stop(): Promise<void> }>;
