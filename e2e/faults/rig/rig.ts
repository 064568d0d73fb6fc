// The common rig: a scripted provider behind a fault proxy, the database behind another, one or two gateways, an
// account with money, and a client that writes down all it sees.
import { startStubbedVideos, type VideoSide } from './providers/video-side.ts';
import type { StoreSettings } from '../../../server/src/store/open-store.ts';
import { chat, type ChatOptions, type JournalEntry } from '../chat-client.ts';
import { type GatewayProcess, startGatewayProcess, type StartOptions } from '../gateway-process.ts';
import { Operator, TOKENS_MODEL, untilOffered } from '../operator.ts';
import { FaultProxy } from './fault-proxy.ts';
import { reconcile, type Sums } from './records/four-sums.ts';
import { OwnRedis } from './own-redis.ts';
import { StubProvider, type StubScript } from './providers/stub-provider.ts';

export interface RigOptions {
  gateways?: number;
  /** Of the channel to the provider. */
  options?: object;
  /** The gateways reach the database through the fault proxy. */
  databaseProxy?: boolean;
  start?: StartOptions;
  /** Also a model of videos, with a provider of its own. */
  videos?: boolean;
  /** The gateways share their rate windows through a Redis. */
  redis?: boolean;
}

export interface CallOptions extends StubScript {
  stream?: boolean;
  /** By its number. */
  gateway?: number;
  signal?: AbortSignal;
  key?: string;
  model?: string;
}

/** Far more than any test spends. */
const CREDIT = '900000000';
/** Of a call, on a busy machine too. */
const TIMEOUT_MS = 180_000;

export class Rig {
  readonly journal: JournalEntry[] = [];
  readonly settings: StoreSettings;
  readonly stub: StubProvider;
  readonly stubProxy: FaultProxy;
  readonly databaseProxy: FaultProxy | undefined;
  readonly redis: OwnRedis | undefined;
  readonly gateways: GatewayProcess[];
  readonly operator: Operator;
  readonly start: StartOptions;
  videos: VideoSide | undefined;
  accountId = '';
  tokenId = '';
  key = '';
  #calls = 0;
  readonly #scripts = new Map<number, StubScript>();

  private constructor(dependencies: {
    settings: StoreSettings;
    stub: StubProvider;
    stubProxy: FaultProxy;
    databaseProxy: FaultProxy | undefined;
    redis: OwnRedis | undefined;
    gateways: GatewayProcess[];
    start: StartOptions;
  }) {
    this.settings = dependencies.settings;
    this.stub = dependencies.stub;
    this.stubProxy = dependencies.stubProxy;
    this.databaseProxy = dependencies.databaseProxy;
    this.redis = dependencies.redis;
    this.gateways = dependencies.gateways;
    this.start = dependencies.start;
    this.operator = new Operator(this.gateway().address);
    this.stub.script = ({ maxTokens = 0 }) => this.#scripts.get(maxTokens) ?? {};
  }

  static async start(settings: StoreSettings, options: RigOptions = {}): Promise<Rig> {
    const { databaseUrl } = settings;
    const stub = await StubProvider.start();
    const stubProxy = await FaultProxy.start(stub.baseUrl);
    const isProxied = options.databaseProxy === true && databaseUrl !== undefined;
    const databaseProxy = isProxied ? await FaultProxy.start(databaseUrl) : undefined;
    const redis = options.redis === true ? await OwnRedis.start() : undefined;
    const environment = { ...options.start?.environment, ...(redis !== undefined && { REDIS_URL: redis.url }) };
    const start = { ...options.start, environment };
    const reached =
      databaseProxy === undefined ? settings : { ...settings, databaseUrl: databaseProxy.through(databaseUrl ?? '') };
    const gateways: GatewayProcess[] = [];
    const count = options.gateways ?? 1;
    gateways.push(...(await Promise.all(Array.from({ length: count }, () => startGatewayProcess(reached, start)))));
    const rig = new Rig({ settings, stub, stubProxy, databaseProxy, redis, gateways, start });
    await rig.operator.offerModels(stubProxy.through(stub.baseUrl), options.options);
    if (options.videos === true) rig.videos = await startStubbedVideos(rig.operator);
    rig.accountId = await rig.operator.addAccount(CREDIT);
    ({ id: rig.tokenId, key: rig.key } = await rig.operator.addToken(rig.accountId));
    for (const { address } of gateways) await untilOffered(address, rig.key, rig.videos?.model ?? TOKENS_MODEL);
    return rig;
  }

  gateway(index = 0): GatewayProcess {
    const gateway = this.gateways[index];
    if (gateway === undefined) throw new Error(`there is no gateway ${index}`);
    return gateway;
  }

  /** One call; what it shows is in the journal. */
  async call(options: CallOptions = {}): Promise<JournalEntry> {
    const { stream = false, gateway = 0, signal, key = this.key, model = TOKENS_MODEL, ...script } = options;
    const maxTokens = this.nextCall(script);
    const asked: ChatOptions = {
      address: this.gateway(gateway).address,
      key,
      model,
      text: 'Tell me.',
      stream,
      maxTokens,
    };
    const entry = await chat({ ...asked, signal: signal ?? AbortSignal.timeout(TIMEOUT_MS) });
    this.journal.push(entry);
    return entry;
  }

  /** The `max_tokens` of the next call, which the provider answers by this script; no less than `least`. */
  nextCall(script: StubScript, least = 1_000): number {
    const maxTokens = least + this.#calls++;
    this.#scripts.set(maxTokens, script);
    return maxTokens;
  }

  /** Ends a gateway and starts it again at the same address. */
  async replace(
    index: number,
    signal: 'SIGKILL' | 'SIGTERM',
    options: StartOptions = this.start,
  ): Promise<GatewayProcess> {
    const { port } = this.gateway(index);
    await this.gateway(index).end(signal);
    return this.startAt(index, port, options);
  }

  async startAt(index: number, port: number, options: StartOptions = this.start): Promise<GatewayProcess> {
    const gateway = await startGatewayProcess(this.reached(), { ...options, port });
    this.gateways[index] = gateway;
    return gateway;
  }

  /** The database as the gateways are given it. */
  reached(): StoreSettings {
    const { databaseUrl } = this.settings;
    if (this.databaseProxy === undefined || databaseUrl === undefined) return this.settings;
    return { ...this.settings, databaseUrl: this.databaseProxy.through(databaseUrl) };
  }

  async reconcile(more: { mayRepeat?: boolean; videos?: readonly string[]; timeoutMs?: number } = {}): Promise<Sums> {
    this.databaseProxy?.heal();
    this.stubProxy.heal();
    const evidence = { journal: this.journal, records: this.stub.records, ...more };
    return reconcile(this.settings, evidence, more.timeoutMs);
  }

  async stop(): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.end('SIGKILL')));
    await this.stubProxy.stop();
    await this.stub.stop();
    await this.videos?.stub.stop();
    await this.databaseProxy?.stop();
    await this.redis?.stop();
  }
}
