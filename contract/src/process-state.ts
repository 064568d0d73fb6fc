// How the gateway runs: its version, its store, its workers, and the settings in force. Read only: settings come from the
// environment, at the start.
import { z } from 'zod';
import { unixTime } from './values/times.ts';

const setting = z.object({
  name: z.string().meta({ description: 'The environment variable that changes it' }),
  value: z.string().meta({ description: 'In force; of a secret only "set" or "not set"' }),
  is_secret: z.boolean(),
});

const worker = z.object({
  worker: z.string().meta({ description: 'Its slot, from 1; "retiring" for one that ends' }),
  rss_bytes: z.int(),
  heap_bytes: z.int(),
});

export const processState = z
  .object({
    version: z.string(),
    node_version: z.string(),
    started_at: unixTime.meta({ description: 'When the process that answers was started' }),
    uptime_seconds: z.int(),
    store: z.enum(['sqlite', 'postgres']),
    redis: z.enum(['not_used', 'reachable', 'away']),
    workers: z.array(worker),
    settings: z.array(setting),
  })
  .meta({ id: 'ProcessState' });

export type ProcessState = z.infer<typeof processState>;
