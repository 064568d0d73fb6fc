// The two outgoing HTTP clients: for upstreams, and for addresses that others give us.
import { UpstreamClient } from '../providers/call-upstream.ts';
import { chooseProxies } from '../providers/egress/proxies.ts';
import { GuardedClient } from '../providers/guarded/guarded-client.ts';
import type { StartContext } from './start-context.ts';

export type Clients = ReturnType<typeof openClients>;

export function openClients({ config, started }: StartContext) {
  const chooseProxy = chooseProxies({ https: config.httpsProxy, http: config.httpProxy, none: config.noProxy });
  const guarded = new GuardedClient({ privateHosts: config.privateHosts, chooseProxy });
  started.add('connections to links', () => guarded.close());
  const client = new UpstreamClient({ chooseProxy });
  started.add('connections to upstreams', () => client.close());
  return { client, guarded };
}
