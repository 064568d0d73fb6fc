// The wiring: the only file that knows every part. Builds a gateway from checked settings, starts it, stops it cleanly.
import { join } from 'node:path';
import { compileAddresses } from './access/addresses.ts';
import { Authenticator } from './access/authenticate.ts';
import { ChangeWatch } from './access/change-watch.ts';
import { Claims } from './access/idempotency/claims.ts';
import { openRateStore } from './access/rate-limit/open-rate-store.ts';
import { RateLimiter } from './access/rate-limit/rate-limiter.ts';
import { Ledger } from './billing/ledger.ts';
import { BooksWatch } from './billing/reconcile.ts';
import { SILENCE_SECONDS, Sweeper } from './billing/sweeper.ts';
import { LiveCatalogue } from './catalogue/live-catalogue.ts';
import { loadCatalogue } from './catalogue/load-catalogue.ts';
import { primaryChannel } from './workers/rate-channel.ts';
import { type Config, ConfigError } from './start/config.ts';
import { type FirstStart, prepareData } from './start/first-start.ts';
import { Admission } from './http/admission/admission.ts';
import { FairTurns } from './http/admission/fair-turns.ts';
import { LoadWatch } from './http/admission/load-watch.ts';
import { memoryBounds, mostOpenRequests, Pressure } from './http/admission/pressure.ts';
import { Refusals } from './http/admission/refusals.ts';
import { Balances } from './billing/balance.ts';
import { BaseAddresses } from './http/base-addresses.ts';
import { Cors } from './http/cors.ts';
import { BodyBudget } from './http/body-budget.ts';
import { emptySpool } from './http/forms/spool.ts';
import { buildServer } from './http/server.ts';
import { checkMasterSecret, readMasterSecret } from './start/master-secret.ts';
import { sealStoredHeaders } from './operator/records/seal-stored-headers.ts';
import { KeyReader } from './operator/sign-in/key-reader.ts';
import { Issuer } from './operator/sign-in/oidc/issuer/issuer.ts';
import { describeProcess } from './start/process-state.ts';
import { UpstreamClient } from './providers/call-upstream.ts';
import { GuardedClient } from './providers/guarded/guarded-client.ts';
import { findProvider } from './providers/registry.ts';
import { UpstreamError } from './providers/upstream-error.ts';
import { openaiResponses, readResponseState } from './protocols/openai-responses/index.ts';
import { BackgroundCalls } from './relay/background-calls.ts';
import { Checkpoints } from './relay/checkpoints.ts';
import type { Cutoff } from './relay/cutoff.ts';
import { KeptBodies } from './relay/kept-bodies.ts';
import { KeyWatch } from './relay/key-watch.ts';
import { refuseWithoutMoney } from './relay/large-body-money.ts';
import { testChannel } from './relay/test-channel.ts';
import { Workload } from './relay/workload.ts';
import { Router } from './routing/candidates.ts';
import { HealthKeeper } from './routing/health-keeper.ts';
import { type Sandbox, type SandboxProvider, startSandbox } from './sandbox/server.ts';
import { type Clock, steadyClock, systemClock, unixSeconds } from './shared/clock.ts';
import { makeId } from './shared/ids.ts';
import { Roster } from './shared/roster.ts';
import { makeSecretBox } from './shared/secret-box.ts';
import { stopInOrder, type StopStep } from './shared/stop-in-order.ts';
import { refuseTakenPort } from './shared/taken-port.ts';
import { within } from './shared/wait.ts';
import type { RequestRow } from './store/ledger/operations.ts';
import { forgetBodies } from './store/queries/request-bodies.ts';
import { responsePlaces } from './store/queries/responses.ts';
import { countLiveTasks } from './store/queries/tasks.ts';
import { forgetObjects, upstreamObjects } from './store/queries/upstream-objects.ts';
import { Readiness } from './store/readiness.ts';
import { Retention } from './store/retention.ts';
import { openStore, type Store } from './store/store.ts';
import { openContent } from './tasks/content/task-content.ts';
import type { TaskParts } from './tasks/parts.ts';
import { TaskEngine } from './tasks/task-engine.ts';
import { CalmErrors } from './telemetry/calm-errors.ts';
import type { Logger } from './telemetry/logger.ts';
import { Metrics } from './telemetry/metrics.ts';
import { redactText } from './telemetry/redact.ts';
import { openTracing } from './telemetry/tracing.ts';
import type { MetricSeries } from './workers/messages.ts';

export interface Gateway {
  /** http://host:port */
  address: string;
  firstStart: FirstStart | undefined;
  sandbox: Sandbox | undefined;
  /** The series of this process alone. */
  series(): Promise<MetricSeries>;
  /** Public requests under way. */
  openRequests(): number;
  /**
   * Lets running requests end (up to graceMs), then stops everything. `isRelieved`: another process serves the same port,
   * so whoever still comes over an open connection is served, and asked to come back over a new one.
   */
  stop(graceMs?: number, options?: { isRelieved?: boolean }): Promise<void>;
}

/** What a worker has of others; a process alone has it all itself. */
export interface Surroundings {
  place: number;
  workers: number;
  /** Of the one sandbox that all share; undefined = off. */
  sandboxUrl: ((provider: SandboxProvider) => string) | undefined;
  /** Prometheus text of all workers. */
  allMetrics(): Promise<string>;
}

const GRACE_MS = 120_000;
/** For error events and settles of what was cut. */
const LAST_WORDS_MS = 5_000;
/** Connections that wait to be taken; the system may allow fewer (somaxconn). Beyond it a crowd is reset unheard. */
const BACKLOG = 4_096;
/** Memory that large JSON bodies may take together. */
const BODY_BUDGET_BYTES = 256 * 1024 * 1024;
/** No stop waits longer than this for a collector of traces. */
const TRACES_MS = 2_000;

/** What tests of faults put in the place of the real thing. */
export interface Replacements {
  clock?: Clock;
  steadyClock?: Clock;
  openStore?: typeof openStore;
}

export async function startGateway(
  config: Config,
  logger: Logger,
  { others, ...replaced }: { others?: Surroundings } & Replacements = {},
): Promise<Gateway> {
  // Before anything is made: the secrets of a first start are shown only once, and only by a start that succeeds.
  if (others === undefined) await refuseTakenPort(config);
  const { clock = systemClock, steadyClock: steady = steadyClock } = replaced;
  const errors = new CalmErrors(logger, steady);
  const secretBox = makeSecretBox(readMasterSecret(config.secret, config.dataFolder));
  const store = await openStoreOrSay(config, replaced.openStore ?? openStore);
  await checkMasterSecret(store, secretBox);
  await sealStoredHeaders(store, secretBox);
  const sandbox =
    config.sandbox && others === undefined ? await startSandbox({ callbackHosts: config.privateHosts }) : undefined;
  const sandboxUrl =
    sandbox === undefined ? others?.sandboxUrl : (provider: SandboxProvider) => sandbox.baseUrl(provider);
  const firstStart = await prepareData({
    store,
    clock,
    secretBox,
    sandboxUrl,
    password: config.operatorPassword,
  });

  const spoolFolder = join(config.dataFolder, 'spool');
  await emptySpool(spoolFolder);

  const metrics = new Metrics({ worker: String(others?.place ?? 1) });
  const tracing = config.otel === undefined ? undefined : await openTracing(config.otel);
  // Whatever is counted is a line of the request log.
  if (tracing !== undefined) metrics.onEnded = (line) => tracing.ended(line as RequestRow);
  const authenticator = new Authenticator({ reads: store.reads, clock });
  const catalogue = await LiveCatalogue.open(() =>
    loadCatalogue(store.reads, {
      sandbox: config.sandbox,
      sandboxBaseUrl: (provider) => sandboxUrl?.(provider as SandboxProvider),
      secretBox,
    }),
  );
  metrics.channelName = (id) => catalogue.current.channels.find((channel) => channel.id === id)?.name ?? 'removed';
  const watch = new ChangeWatch({
    reads: store.reads,
    listen: (onNotice) => store.listen(onNotice),
    onToken: (id) => authenticator.forgetToken(id),
    onAccount: (id) => authenticator.forgetAccount(id),
    onCatalogue: () => catalogue.refresh(),
    async onGap() {
      authenticator.forgetAll();
      await catalogue.refresh();
    },
    onError: (error) => errors.tell(error, 'change notices cannot be read'),
  });
  await watch.start();
  await catalogue.refresh(); // what changed between the first load and the start of the watch

  const processId = makeId('proc');
  const sweeper = new Sweeper({
    store,
    processId,
    onError: (error) => errors.tell(error, 'the sweeper could not do its round'),
    finishEnds: () => ledger.finishEnds(),
    onSwept(count) {
      metrics.swept(count);
      logger.warn({ count }, 'holds of a process that is gone were released');
    },
  });
  await sweeper.start();
  const requestRetention = new Retention({
    step: () => store.keepRequests(config.requestLogDays),
    onError: (error) => logger.error({ error }, 'the request log could not be trimmed; the next round tries again'),
  });
  requestRetention.start();
  const usageRetention = new Retention({
    step: () => store.keepUsage(config.usageDays),
    onError: (error) => logger.error({ error }, 'the sums of usage could not be trimmed; the next round tries again'),
  });
  usageRetention.start();

  const bodyRetention = new Retention({
    step: () => forgetBodies(store, unixSeconds(clock) - config.bodyDays * 86_400),
    onError: (error) => logger.error({ error }, 'kept bodies could not be forgotten; the next round tries again'),
  });
  bodyRetention.start();
  const objectRetention = new Retention({
    step: () => forgetObjects(store, unixSeconds(clock)),
    onError: (error) =>
      logger.error({ error }, 'ids of stored objects could not be forgotten; the next round tries again'),
  });
  objectRetention.start();
  const keptBodies = new KeptBodies({
    store,
    box: secretBox,
    clock,
    onError: (error) => errors.tell(error, 'bodies of requests could not be kept'),
  });

  const books = new BooksWatch({
    store,
    onProblems(counts) {
      metrics.bookProblems(counts);
      if (Object.values(counts).some((count) => count > 0)) logger.error({ counts }, 'the books do not agree');
    },
    onError: (error) => logger.error({ error }, 'the books could not be checked'),
  });
  books.start();

  const claims = new Claims({ store, box: secretBox, owner: processId, silenceSeconds: SILENCE_SECONDS });

  const client = new UpstreamClient();
  const router = new Router({ clock: steady, secretBox });
  const keyWatch = new KeyWatch({
    store,
    client,
    router,
    catalogue,
    clock,
    steadyClock: steady,
    onError: (error) => errors.tell(error, 'the state of channel keys could not be kept'),
  });
  await keyWatch.start();
  const healthKeeper = new HealthKeeper({
    store,
    clock,
    steadyClock: steady,
    channels: () => router.channels(catalogue.current),
    onError: (error) => errors.tell(error, 'the health of channels could not be kept'),
  });
  healthKeeper.start();
  const ledger = new Ledger({ store, clock, owner: processId, storeNow: () => sweeper.storeNow() });
  const live = new Roster<Cutoff>();
  const rateKeeper = config.redisUrl === undefined ? 'the primary process' : 'Redis (REDIS_URL)';
  const rates = await openRateStore({
    redisUrl: config.redisUrl,
    primary: primaryChannel(),
    clock: steady,
    onAway(away, error) {
      metrics.rateStoreAway(away);
      if (away) logger.error({ error }, `${rateKeeper} does not answer: rate limits are per process`);
      else logger.info('rate limits are shared');
    },
  });
  const limiter = new RateLimiter({ store: rates.store, clock, onLimited: (limit) => metrics.limited(limit) });
  const checkpoints = new Checkpoints(ledger);
  const workload = new Workload();
  const objects = upstreamObjects(store, clock);
  const relay = { catalogue, router, limiter, ledger, checkpoints, client, clock, metrics, live, workload, objects };
  const background = new BackgroundCalls({
    store,
    relay,
    protocol: openaiResponses,
    readState: readResponseState,
    onError: (error) => errors.tell(error, 'background responses could not be asked about'),
  });
  background.start();
  const guarded = new GuardedClient({ privateHosts: config.privateHosts });
  const tasks: TaskParts = {
    store,
    catalogue,
    router,
    limiter,
    client,
    guarded,
    clock,
    secretBox,
    metrics,
    owner: processId,
    pollMs: config.taskPollMs,
    archiveFolder: join(config.dataFolder, 'videos'),
    random: Math.random,
    onDelivery: () => engine.wakeWebhooks(),
    onError: (error, what) => errors.tell(error, what),
  };
  const engine = new TaskEngine(tasks, { silenceSeconds: SILENCE_SECONDS, workers: others?.workers ?? 1 });
  const bounds = memoryBounds(others?.workers ?? 1);
  const pressure = new Pressure(bounds);
  const turns = new FairTurns({ room: () => workload.room });
  workload.onRoom = () => turns.lookAgain();
  const admission = new Admission({
    mostOpen: mostOpenRequests(bounds),
    pressure,
    turns,
    onArrival: () => loadWatch.arrived(),
    onShared: (isShared) => (workload.isShared = isShared),
  });
  const loadWatch = new LoadWatch({
    onBegin(now, missed) {
      pressure.begin(now);
      workload.start(missed);
    },
    onLook: (lateMs) => metrics.lag.note(lateMs),
    onSample(now) {
      pressure.sample(now);
      workload.sample();
    },
    isAtRest: () => admission.open === 0 && !pressure.isFull && !pressure.isLate && !workload.isBounded,
  });
  let draining = false;
  const readiness = new Readiness(store, steady);

  /** Levels are looked up when somebody asks. */
  const takeMetrics = async (): Promise<void> => {
    metrics.open.set(live.size);
    metrics.showAdmission({ open: admission.open, waiting: admission.waiting, isLate: pressure.isLate });
    metrics.liveTasks.set(await countLiveTasks(store.reads).catch(() => Number.NaN)); // not known while the store is away
    metrics.breakers.reset();
    for (const channel of router.channels(catalogue.current))
      metrics.breakers.set({ channel: channel.facts.id }, channel.breaker.state === 'open' ? 1 : 0);
  };

  const allMetrics = async (): Promise<string> =>
    others === undefined ? takeMetrics().then(() => metrics.registry.metrics()) : others.allMetrics();

  const trustedProxies = config.trustedProxies.length === 0 ? undefined : compileAddresses(config.trustedProxies);
  const operatorKeys = new KeyReader({ store, clock, operatorKey: config.operatorKey });
  const app = await buildServer({
    clock,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    docsPrefix: config.baseAddress?.prefix ?? '',
    addresses: new BaseAddresses(config.baseAddress, config.legacyAddress),
    cors: new Cors(config.corsOrigins),
    public: {
      catalogue,
      endpointTypesOf: (provider) => findProvider(provider)?.endpointTypes ?? [],
      responses: responsePlaces(store, clock),
      balances: new Balances({ reads: store.reads, clock, currency: config.currency }),
      relay,
      background,
      tasks,
      authenticator,
      claims,
      trustedProxies,
      maxBodyBytes: config.maxBodyBytes,
      bodyBudget: new BodyBudget(BODY_BUDGET_BYTES),
      beforeLarge: (payer) => refuseWithoutMoney(relay, payer),
      tracing,
      spoolFolder,
      logger,
      metrics,
      admission,
      refusals: new Refusals(),
      keptBodies,
      draining: () => draining,
    },
    operator: {
      store,
      clock,
      secretBox,
      claims,
      guarded,
      operatorKey: config.operatorKey,
      trustedProxies,
      secureCookies: config.baseAddress?.url.startsWith('https:') ?? false,
      oidc: config.oidc && {
        issuer: new Issuer({ settings: config.oidc, client: guarded, clock }),
        publicUrl: config.baseAddress?.url,
        onFailure: (reason, error) => logger.warn({ reason, error }, 'an operator could not be signed in by OIDC'),
      },
      onChange: () => watch.poll(),
      async testChannel(channelId, model) {
        await watch.poll(); // it may have been made through another process a moment ago
        const onWorks = keyWatch.works.bind(keyWatch);
        return testChannel({ client, router, catalogue: catalogue.current, onWorks }, channelId, model);
      },
      videoContent: (wish) => openContent(tasks, { ...wish, accountId: undefined }),
      processState: async () =>
        describeProcess({ config, store, isRedisAway: rates.isAway(), metrics: await allMetrics() }),
      channelHealth: () => router.channels(catalogue.current).map((channel) => channel.health(steady.now())),
    },
    probes: {
      hasOperatorKey: (request) => operatorKeys.hasKey(request, { trustedProxies }),
      whyNotReady: async () => {
        if (draining) return 'stopping';
        return readiness.whyNot();
      },
      degraded: () => (rates.isAway() ? { rate_limits: 'per process: what is shared cannot be reached' } : {}),
      async metrics() {
        return { contentType: metrics.registry.contentType, text: await allMetrics() };
      },
    },
  });
  const address = await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  engine.start();

  let stopped: Promise<void> | undefined;
  const stopAll = async (graceMs: number): Promise<void> => {
    const underWay = { under_way: admission.open };
    if (admission.open > 0) logger.info(underWay, `stopping: what is under way may end, within ${graceMs / 1000} s`);
    const cut = setTimeout(() => cutAll(live), graceMs);
    const force = setTimeout(() => app.server.closeAllConnections(), graceMs + LAST_WORDS_MS);
    // A connection that falls idle later must not keep the process until its client hangs up.
    const idle = setInterval(() => app.server.closeIdleConnections(), 100);
    const steps: StopStep[] = [
      ['the server', () => app.close()],
      ['timers', () => [clearInterval(idle), clearTimeout(cut), clearTimeout(force), loadWatch.stop()]],
      ['video tasks', () => engine.stop()],
      ['change notices', () => watch.stop()],
      ['background responses', () => background.stop()],
      ['the check of the books', () => books.stop()],
      ['retention of requests', () => requestRetention.stop()],
      ['retention of usage', () => usageRetention.stop()],
      ['retention of bodies', () => bodyRetention.stop()],
      ['retention of ids', () => objectRetention.stop()],
      ['kept bodies', () => keptBodies.stop()],
      ['the watch over keys', () => keyWatch.stop()],
      ['the health of channels', () => healthKeeper.stop()],
      ['the sweeper', () => sweeper.stop()],
      ['traces', () => tracing && within(TRACES_MS, tracing.stop())], // nothing ends any more
      ['connections to upstreams', () => client.close()],
      ['rate limits', () => rates.close()],
      ['connections to links', () => guarded.close()],
      ['the sandbox', () => sandbox?.stop()],
      ['the store', () => store.close()],
    ];
    await stopInOrder(steps, (error, name) => logger.error({ error }, `${name} could not be stopped cleanly`));
  };

  return {
    address,
    firstStart,
    sandbox,
    openRequests: () => admission.open,
    async series() {
      if (stopped === undefined) await takeMetrics(); // the store may be closed by now
      return metrics.registry.getMetricsAsJSON();
    },
    async stop(graceMs = GRACE_MS, { isRelieved = false } = {}) {
      draining ||= !isRelieved;
      if (isRelieved) metrics.worker = 'retiring';
      stopped ??= stopAll(graceMs);
      await stopped;
    },
  };
}

async function openStoreOrSay(config: Config, open: typeof openStore): Promise<Store> {
  try {
    return await open(config);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (config.databaseUrl === undefined)
      throw new ConfigError(`TOLLGATE_DATA_DIR cannot hold the database: ${message}.`);
    throw new ConfigError(`DATABASE_URL cannot be used: ${redactText(message || (code ?? 'no answer'))}.`);
  }
}

function cutAll(live: Roster<Cutoff>): void {
  for (const cutoff of live) cutoff.cut(new UpstreamError('timed-out', 'the gateway is stopping'));
}
