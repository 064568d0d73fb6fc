// What an endpoint is given: an authenticated exchange with one client, and the parts of the gateway it may use.
import type { Principal } from '../access/principal.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { ClientReply } from '../relay/call.ts';
import type { RelayParts } from '../relay/relay-request.ts';

export interface EndpointParts {
  catalogue: LiveCatalogue;
  relay: RelayParts;
}

export interface Exchange {
  requestId: string;
  principal: Principal;
  /** performance.now() when the request arrived. */
  startedAt: number;
  /** What the path holds at the route's `*`, decoded; '' where it has none. */
  wildcard: string;
  reply: ClientReply;
  /** Checks content type and size, then reads; nothing of the body is read before. */
  readJson(): Promise<Buffer>;
  sendJson(value: unknown): void;
}

export type Endpoint = (parts: EndpointParts, exchange: Exchange) => Promise<void> | void;
