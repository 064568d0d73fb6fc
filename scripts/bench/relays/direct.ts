// No relay: the load goes straight to the upstream. Its latency is what the others' is compared with, and its
// rate is the most that load generator and upstream can do.
import { chatPath, type Relay } from './relay.ts';

export const direct: Relay = {
  name: 'direct',
  start: async ({ upstreamPort }) => ({
    name: 'direct',
    target: { port: upstreamPort, path: chatPath, headers: {}, model: 'bench-upstream' },
    pid: undefined,
    version: undefined,
  }),
};
