// No relay: the load goes straight to the upstream. Its latency is what the others' is compared with, and its
// rate is the most that load generator and upstream can do.
import { chatPath, loopback } from '../wire/chat-request.ts';
import type { Relay } from './relay.ts';

export const direct: Relay = {
  name: 'direct',
  start: async ({ upstreamPort }) => ({
    name: 'direct',
    role: 'none',
    target: {
      host: loopback,
      port: upstreamPort,
      protocol: 'chat',
      path: chatPath,
      headers: {},
      model: 'bench-upstream',
    },
    translated: undefined,
    pids: [],
    does: 'nothing: the load goes to the upstream',
    version: undefined,
  }),
};
