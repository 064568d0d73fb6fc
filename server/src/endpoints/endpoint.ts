// What an endpoint is given: an authenticated exchange with one client, and what of the gateway it may use.
import type { Principal } from '../access/principal.ts';
import type { BatchDependencies } from '../batches/batch-dependencies.ts';
import type { Balances } from '../billing/balance.ts';
import type { EndpointTypesOf } from '../catalogue/endpoint-types.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { FileDependencies } from '../files/file-dependencies.ts';
import type { InlineDependencies } from '../files/inline-files.ts';
import type { FileUse } from '../files/keep-file.ts';
import type { Form } from '../neutral/form.ts';
import type { BackgroundCalls } from '../relay/stored/background-calls.ts';
import type { BodyReply, ChannelKeyId, RelayCall } from '../relay/call.ts';
import type { KeptResponses } from '../relay/stored/kept-responses.ts';
import type { RelayDependencies } from '../relay/relay-request.ts';
import type { TaskDependencies } from '../tasks/dependencies.ts';
import type { MadeObject } from '../neutral/made-object.ts';
import type { Reserve } from '../shared/reserve-memory.ts';

export interface EndpointDependencies {
  catalogue: LiveCatalogue;
  /** What the upstreams of a provider can be asked for, for model lists. */
  endpointTypesOf: EndpointTypesOf;
  relay: RelayDependencies;
  responses: StoredResponses;
  /** Responses of translated calls, which no upstream keeps. */
  kept: KeptResponses;
  /** Responses that go on at their upstreams, and wait to be charged. */
  background: BackgroundCalls;
  tasks: TaskDependencies;
  balances: Balances;
  files: FileDependencies & FileUse & InlineDependencies;
  batches: BatchDependencies;
  /** Where operators say that the gateway is reached; without a slash at the end. */
  publicUrl: string | undefined;
}

/** `isBatch`, `agreed` and `onAnswer`: of lines of a batch. */
export interface Exchange extends Pick<RelayCall, 'isBatch' | 'agreed' | 'onAnswer'> {
  requestId: string;
  method: string;
  principal: Principal;
  /** performance.now() when the request arrived. */
  startedAt: number;
  /** What the path holds at the route's `*` or `:id`, decoded; '' where it has neither. */
  wildcard: string;
  /** Behind the question mark, as it came. */
  query: string;
  /** Would rather be refused than lose a field in translation: `x-tollgate-strict`, or the token's option. */
  strict: boolean;
  /** Of the version header; only /v1/messages* has one. */
  version: string | undefined;
  /** A header of the request; names in lower case. */
  header(name: string): string | undefined;
  reply: BodyReply;
  /** The body calls itself JSON. */
  sendsJson: boolean;
  /** Checks content type and size, then reads; nothing of the body is read before. */
  readJson(): Promise<Buffer>;
  /** The same for multipart/form-data. The form is given up when the endpoint is done. `orJson`: the endpoint takes JSON, too. */
  readForm(options?: { maxBytes?: number; orJson?: true }): Promise<Form>;
  /** For memory that the gateway needs beside the body, until the request ends. */
  reserve: Reserve;
  sendJson(value: unknown): void;
  /** The task that the same submit made in a process that died: its answer. Known when the body has been read. */
  madeTask?: string | undefined;
}

export type Endpoint = (dependencies: EndpointDependencies, exchange: Exchange) => Promise<void> | void;

export interface StoredAt extends ChannelKeyId {
  /** The model that made it; absent where an older version remembered it. */
  model?: string | undefined;
}

/** Where responses are kept, by the account that made them and the upstream's id. */
export interface StoredResponses {
  find(accountId: string, id: string): Promise<StoredAt | undefined>;
  /** Durable when it resolves. */
  remember(accountId: string, id: string, storedAt: StoredAt, objects?: readonly MadeObject[]): Promise<void>;
  forget(accountId: string, id: string): Promise<void>;
}
