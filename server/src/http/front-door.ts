// Public paths without a name in them are served in front of the framework: its way of a request (hooks, content types,
// validation, answers) does nothing for them and costs more than their whole admission.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Clock } from '../shared/clock.ts';
import { makeOrderedId } from '../shared/ids.ts';
import { Arrivals } from './admission/arrivals.ts';
import type { BaseAddresses } from './base-addresses.ts';
import type { PublicRoute } from './routes.ts';
import { type PublicParts, servePublic, splitUrl } from './serve-public.ts';

export interface FrontDoorParts {
  routes: readonly PublicRoute[];
  public: PublicParts;
  addresses: BaseAddresses;
  clock: Clock;
  nameAnswer(response: ServerResponse, requestId: string, legacyUrl: string | undefined): void;
}

/** Puts the door before whoever listens to the server now; whatever is not for it goes on to them as it came. */
export function openFrontDoor(server: Server, parts: FrontDoorParts): void {
  const routes = new Map(
    parts.routes.filter(({ path }) => !/[*:]/.test(path)).map((route) => [`${route.method} ${route.path}`, route]),
  );
  const behind = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { url, legacy } = parts.addresses.arrive(request.url ?? '/', request.headers.host);
    const route = routes.get(`${request.method} ${splitUrl(url).path}`);
    if (route === undefined) {
      for (const listener of behind) listener.call(server, request, response);
      return;
    }
    request.url = url;
    const requestId = makeOrderedId('req', parts.clock.now());
    parts.nameAnswer(response, requestId, legacy ? url : undefined);
    if (parts.public.draining()) response.setHeader('connection', 'close');
    void servePublic(parts.public, route, { request, response, requestId, wildcard: '' });
  };
  const arrivals = new Arrivals({ serve });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => arrivals.arrive(request, response));
}
