// The two outgoing HTTP clients: for upstreams, and for addresses that others give us.
import { UpstreamClient } from '../providers/call-upstream.ts';
import { type ChooseProxy, chooseProxies } from '../providers/egress/proxies.ts';
import { GuardedClient } from '../providers/guarded/guarded-client.ts';
import type { Config } from './config.ts';
import type { StartContext } from './start-context.ts';

export type Clients = ReturnType<typeof openClients>;

export function openClients({ config, started }: StartContext) {
  const chooseProxy = proxiesOf(config);
  const guarded = new GuardedClient({ privateHosts: config.privateHosts, chooseProxy });
  started.add('connections to links', () => guarded.close());
  const client = new UpstreamClient({ chooseProxy });
  started.add('connections to upstreams', () => client.close());
  return { client, guarded };
}

/** The proxies of the environment. */
export function proxiesOf({ httpsProxy, httpProxy, noProxy }: Config): ChooseProxy {
  return chooseProxies({ https: httpsProxy, http: httpProxy, none: noProxy });
}
