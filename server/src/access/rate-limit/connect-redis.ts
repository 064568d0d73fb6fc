// A connection to what REDIS_URL names: one server, or with several addresses the cluster that they are nodes of. Commands
// never wait for a connection.
import { Cluster, Redis, type RedisOptions } from 'ioredis';

const OPTIONS = {
  connectTimeout: 2_000,
  enableOfflineQueue: false, // who cannot be asked now is not asked later
  maxRetriesPerRequest: 0,
} satisfies RedisOptions;
const again = (times: number): number => Math.min(1_000, 50 * times);

export function connectRedis(url: string): Redis | Cluster {
  const [first = url, ...others] = url.split(',').map((address) => address.trim());
  if (others.length === 0) return new Redis(first, { ...OPTIONS, retryStrategy: again });
  // Nodes that the cluster names by itself are asked as the first address says.
  const { username, password, protocol } = new URL(first);
  return new Cluster([first, ...others], {
    clusterRetryStrategy: again,
    enableOfflineQueue: false,
    // The host's names are good for every node, also where a certificate stands for them.
    dnsLookup: (address, done) => done(null, address),
    redisOptions: {
      ...OPTIONS,
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  });
}
