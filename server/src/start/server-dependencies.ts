// What the HTTP server is given: for public endpoints, for the operator API, for probes.
import { compileAddresses } from '../access/addresses.ts';
import { Refusals } from '../http/admission/refusals.ts';
import { EarlyRefusals } from '../http/early-refusals.ts';
import { BaseAddresses } from '../http/base-addresses.ts';
import { Cors } from '../http/cors.ts';
import type { ServerDependencies } from '../http/server.ts';
import { KeyReader } from '../operator/sign-in/key-reader.ts';
import { Issuer } from '../operator/sign-in/oidc/issuer/issuer.ts';
import { refuseWithoutMoney } from '../relay/large-body-money.ts';
import { previewChannel, type PreviewInput, upstreamModels } from '../relay/preview-channel.ts';
import { testChannel } from '../relay/test-channel.ts';
import { Readiness } from '../store/readiness.ts';
import { openContent } from '../tasks/content/task-content.ts';
import { endpointDependencies } from './endpoint-dependencies.ts';
import type { Changes } from './follow-changes.ts';
import type { Admitting } from './make-admission.ts';
import type { Alerts } from './make-alerts.ts';
import type { Batches } from './make-batches.ts';
import type { Tasks } from './make-tasks.ts';
import type { Clients } from './open-clients.ts';
import type { Data } from './open-data.ts';
import type { Files } from './open-files.ts';
import type { RateLimits } from './open-rate-limits.ts';
import type { Telemetry } from './open-telemetry.ts';
import { describeProcess } from './process-state.ts';
import type { MetricsReader } from './read-metrics.ts';
import type { StartContext } from './start-context.ts';
import type { Money } from './start-money.ts';
import type { Exports } from './start-export.ts';
import type { Relay } from './start-relay.ts';
import type { Kept } from './start-retention.ts';
import type { Routing } from './start-routing.ts';
import type { ChannelPreview } from '#contract/channels.ts';
import type { Price } from '#contract/prices.ts';
import { readChannelOptions } from '../catalogue/channel-options.ts';

export type AllDependencies = Data &
  Clients &
  Telemetry &
  RateLimits &
  Changes &
  Money &
  Kept &
  Files &
  Routing &
  Relay &
  Tasks &
  Batches &
  Alerts &
  Admitting &
  Exports &
  MetricsReader;

export function serverDependencies(
  context: StartContext,
  dependencies: AllDependencies,
  draining: () => boolean,
): ServerDependencies {
  const { config, clock } = context;
  const trustedProxies = config.trustedProxies.length === 0 ? undefined : compileAddresses(config.trustedProxies);
  return {
    clock,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    docsPrefix: config.baseAddress?.prefix ?? '',
    brand: { name: config.portalName, color: config.portalColor },
    sessions: dependencies.sessions,
    addresses: new BaseAddresses(config.baseAddress, config.legacyAddress),
    cors: new Cors(config.corsOrigins),
    public: { ...forPublic(context, dependencies), trustedProxies, draining },
    operator: { ...forOperators(context, dependencies), trustedProxies },
    probes: forProbes(context, dependencies, { trustedProxies, draining }),
  };
}

function forPublic(context: StartContext, dependencies: AllDependencies) {
  const { config, clock, logger } = context;
  const { relay, authenticator, claims, tracing, outcomes, spoolFolder, metrics, admission, keptBodies, bodyBudget } =
    dependencies;
  return {
    ...endpointDependencies(context, dependencies, dependencies.batches),
    authenticator,
    claims,
    maxBodyBytes: config.maxBodyBytes,
    bodyBudget,
    beforeLarge: (payer: Parameters<typeof refuseWithoutMoney>[1]) => refuseWithoutMoney(relay, payer),
    tracing,
    outcomes,
    spoolFolder,
    logger,
    metrics,
    admission,
    refusals: new Refusals(),
    earlyRefusals: new EarlyRefusals({ ledger: relay.ledger, clock }),
    keptBodies,
  };
}

function forOperators(
  { config, clock, steady, logger }: StartContext,
  dependencies: AllDependencies,
): Omit<ServerDependencies['operator'], 'trustedProxies'> {
  const { store, secretBox, claims, client, guarded, watch, router, catalogue, keyWatch, tasks, rates } = dependencies;
  return {
    store,
    clock,
    secretBox,
    currency: config.currency,
    portalUrl: config.baseAddress?.url,
    claims,
    guarded,
    operatorKey: config.operatorKey,
    secureCookies: config.baseAddress?.url.startsWith('https:') ?? false,
    oidc: config.oidc && {
      issuer: new Issuer({ settings: config.oidc, client: guarded, clock }),
      publicUrl: config.baseAddress?.url,
      onFailure: (who, reason, error) =>
        logger.warn(
          { reason, error },
          `${who === 'operator' ? 'an operator' : 'a member'} could not be signed in by OIDC`,
        ),
    },
    onChange: dependencies.onChange,
    async testChannel(channelId, model, keyId) {
      await watch.poll(); // it may have been made through another process a moment ago
      const onWorks = keyWatch.works.bind(keyWatch);
      return testChannel({ client, router, catalogue: catalogue.current, onWorks }, { channelId, model, keyId });
    },
    async upstreamModels(channelId) {
      await watch.poll();
      return upstreamModels({ client, router, catalogue: catalogue.current }, channelId);
    },
    previewChannel: (channel) => previewChannel({ client, catalogue: catalogue.current }, previewInput(channel)),
    videoContent: (asked) => openContent(tasks, { ...asked, accountId: undefined }),
    processState: async () =>
      describeProcess({ config, store, isRedisAway: rates.isAway(), metrics: await dependencies.allMetrics() }),
    alerts: dependencies.alerts,
    exports: dependencies.exports,
    channelHealth: () => router.channels(catalogue.current).map((channel) => channel.health(steady.now())),
  };
}

function forProbes(
  { config, clock, steady }: StartContext,
  { store, rates, metrics, allMetrics }: AllDependencies,
  { trustedProxies, draining }: Pick<ServerDependencies['public'], 'trustedProxies' | 'draining'>,
): ServerDependencies['probes'] {
  const operatorKeys = new KeyReader({ store, clock, operatorKey: config.operatorKey });
  const readiness = new Readiness(store, steady);
  return {
    hasOperatorKey: (request) => operatorKeys.hasKey(request, { trustedProxies }),
    whyNotReady: async () => (draining() ? 'stopping' : readiness.whyNot()),
    degraded: () => ({
      ...(rates.isAway() && { rate_limits: 'per process: what is shared cannot be reached' }),
      ...(store.replica?.state.problem !== undefined && { lists: 'from the primary: the replica cannot be read' }),
    }),
    async metrics() {
      return { contentType: metrics.registry.contentType, text: await allMetrics() };
    },
  };
}

/** A channel as an operator writes it, as the relay sees one: for a preview, so nothing of it is stored. */
function previewInput(channel: ChannelPreview): PreviewInput {
  const { model, prices, keys, models, options, base_url, headers, name, provider } = channel;
  const { proxy, ...rest } = options;
  // A model that is not among those of the channel is meant by its upstream name.
  const carried = new Map(Object.entries(models));
  if (model !== undefined && !carried.has(model)) carried.set(model, model);
  const facts = {
    id: 'preview',
    name,
    provider,
    baseUrl: base_url,
    models: carried,
    groups: [],
    priority: 0,
    weight: 1,
    enabled: true,
    sandbox: false,
    headers,
    options: { ...readChannelOptions(JSON.stringify(rest)), proxy: proxy ?? undefined },
  };
  return { facts, keys, model, priced: model === undefined ? undefined : testedAs(prices[model]) };
}

/** A model whose output is free makes vectors. */
function testedAs(price: Price | undefined): PreviewInput['priced'] {
  if (price === undefined) return undefined;
  const isVectors = price.unit === 'tokens' && Number(price.output) === 0;
  return { endpointTypes: isVectors ? ['embeddings'] : [], price };
}
