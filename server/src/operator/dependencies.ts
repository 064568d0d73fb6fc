// What the operator API needs of the rest of the gateway.
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { AddressMatcher } from '../access/addresses.ts';
import type { Claims } from '../access/idempotency/claims.ts';
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { ChannelPreview } from '#contract/channels.ts';
import type { ExportState } from '#contract/exports.ts';
import type { MemberSignInFailure } from '#contract/oidc.ts';
import type { ProcessState } from '#contract/process-state.ts';
import type { GuardedClient } from '../providers/guarded/guarded-client.ts';
import type { Clock } from '../shared/clock.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import type { Content, ContentRequest } from '../tasks/content/task-content.ts';
import type { AlertDeliveryRow, AlertSinkRow } from '../store/queries/alert-sinks.ts';
import type { RequestListing } from '../store/queries/requests.ts';
import type { Store } from '../store/store.ts';
import type { RequestsTable } from '../store/tables.ts';
import type { Issuer } from './sign-in/oidc/issuer/issuer.ts';
import type { Who } from './sign-in/oidc/started-sign-in.ts';

export interface OperatorDependencies {
  store: Store;
  clock: Clock;
  secretBox: SecretBox;
  /** Address of the gateway for links; undefined = it is not known, and links begin with their path. */
  portalUrl: string | undefined;
  /** A word shown beside amounts. */
  currency: string;
  claims: Claims;
  /** Judges addresses that webhooks are sent to. */
  guarded: Pick<GuardedClient, 'check'>;
  /** Accepted as `Authorization: Bearer`; undefined = only sign-in. */
  operatorKey: string | undefined;
  /** From these alone X-Forwarded-For is believed. */
  trustedProxies: AddressMatcher | undefined;
  /** Set when the gateway's address is https, also behind a proxy that does not say so. */
  secureCookies: boolean;
  /** undefined: operators and members sign in with passwords only. */
  oidc: OidcDependencies | undefined;
  /** Applies committed changes to this process; awaited before the change is answered. */
  onChange(): Promise<void>;
  /** One real cheap call to the channel, with its first key in use where none is named. */
  testChannel(channelId: string, model: string, keyId?: string): Promise<ChannelTestOutcome>;
  /** Upstream names of the models that the channel's upstream has. */
  upstreamModels(channelId: string): Promise<string[]>;
  /** The same, and a test call, for a channel that is not saved. */
  previewChannel(channel: ChannelPreview): Promise<ChannelPreviewOutcome>;
  /** Of every channel, in this process. */
  channelHealth(): ChannelHealth[];
  /** Sinks of alerts, and the watch over their rules. */
  alerts: AlertDependencies;
  /** Sinks of the export. */
  exports: { states(): Promise<ExportState[]>; archive: RequestArchive | undefined };
  /** How the gateway runs. */
  processState(): Promise<ProcessState>;
  /** The bytes of a finished video, of any account. */
  videoContent(request: Omit<ContentRequest, 'accountId'>): Promise<Content>;
}

/** Lines of the request log that have left the store. */
export interface RequestArchive {
  find(id: string): Promise<RequestsTable | undefined>;
  list(listing: RequestListing): Promise<RequestsTable[]>;
}

export interface AlertDependencies {
  /** Is there a server for mail? */
  hasMail: boolean;
  /** Rules were changed. */
  wake(): void;
  /** Sends a test now, once. */
  test(sink: AlertSinkRow): Promise<AlertDeliveryRow>;
}

export interface OidcDependencies {
  issuer: Issuer;
  /** Address of the gateway for browsers; undefined = the one that each of them uses. */
  publicUrl: string | undefined;
  /** For the log: people only see the reason. */
  onFailure(who: Who, reason: MemberSignInFailure, error: unknown): void;
}

export interface ChannelPreviewOutcome {
  models: string[];
  listError: string | undefined;
  test: ChannelTestOutcome | undefined;
}

export interface ChannelTestOutcome {
  ok: boolean;
  status: number | null;
  latency_ms: number;
  message: string;
}

/** The server with schemas that are zod's. */
export type OperatorApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;
