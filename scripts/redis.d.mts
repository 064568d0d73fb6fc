/** Starts a private Redis; undefined when none can be had here. See redis.mjs. */
export function startRedis(settings?: {
  port?: number;
}): Promise<{ url: string; port: number; pid: number; stop(): Promise<void> } | undefined>;
