/** Starts a private Redis; undefined when none can be had here. See redis.mjs. */
export function startRedis(settings?: {
  port?: number;
  /** As a node of a cluster, which it is not in yet: the port of its bus. */
  clusterPort?: number;
  /** The words of a command that runs the server, such as one that binds it to a core. */
  prefix?: readonly string[];
}): Promise<{ url: string; port: number; pid: number; stop(): Promise<void> } | undefined>;
