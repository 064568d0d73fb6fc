// How this gateway runs, for operators: what is fixed at the start, and the memory of every worker at this moment.
import type { ProcessState } from '#contract/process-state.ts';
import { type Config, SETTINGS, written } from './config.ts';
import { OIDC_SETTINGS } from './settings/oidc-config.ts';
import { productVersion } from '../shared/product-version.ts';
import type { Store } from '../store/store.ts';

export interface ProcessFacts {
  config: Config;
  store: Pick<Store, 'dialect'>;
  isRedisAway: boolean;
  /** Prometheus text of all workers: they answer nothing else across processes. */
  metrics: string;
}

export function describeProcess({ config, store, isRedisAway, metrics }: ProcessFacts): ProcessState {
  const uptime = Math.floor(process.uptime());
  return {
    version: productVersion,
    node_version: process.versions.node,
    started_at: Math.floor(Date.now() / 1000) - uptime,
    uptime_seconds: uptime,
    store: store.dialect,
    redis: config.redisUrl === undefined ? 'not_used' : isRedisAway ? 'away' : 'reachable',
    workers: memoryOfWorkers(metrics),
    settings: describeSettings(config),
  };
}

export function memoryOfWorkers(metrics: string): ProcessState['workers'] {
  const workers = new Map<string, { rss: number; heap: number }>();
  const line = /^tollgate_worker_memory_bytes\{worker="([^"]+)",kind="(rss|heap)"\} (\d+)/gm;
  for (const [, worker = '', kind, bytes] of metrics.matchAll(line)) {
    const memory = workers.get(worker) ?? { rss: 0, heap: 0 };
    workers.set(worker, { ...memory, [kind as 'rss' | 'heap']: Number(bytes) });
  }
  return [...workers]
    .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([worker, { rss, heap }]) => ({ worker, rss_bytes: rss, heap_bytes: heap }));
}

type DescribedSetting = ProcessState['settings'][number];

/** The settings in force. */
export function describeSettings(config: Config): DescribedSetting[] {
  const { oidc: _, ...single } = SETTINGS;
  const described = Object.entries(single).map(([key, { name, write }]) => {
    const value = config[key as keyof Config];
    return describe(name, value, write === 'secret' ? undefined : (write as (one: unknown) => string)(value));
  });
  const oidc = OIDC_SETTINGS.map(({ name, read, isSecret }) => {
    const value = config.oidc && read(config.oidc);
    return describe(name, value, isSecret ? undefined : written(value));
  });
  return [...described, ...oidc];
}

/** Of a secret, which is not shown, only "set" or "not set". */
function describe(name: string, value: unknown, shown: string | undefined): DescribedSetting {
  return { name, value: shown ?? (value === undefined ? 'not set' : 'set'), is_secret: shown === undefined };
}
