// Simulated upstreams over real HTTP on loopback: the newcomer's first answer, the integrator's rehearsal and the
// gateway's own test bed. Shares no code with the relay, so that a bug cannot agree with itself.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from '../shared/runtime/node-http.ts';
import { createAzureProtocol } from './azure/protocol.ts';
import { createBedrockProtocol } from './bedrock/protocol.ts';
import { createTokenIssuer, type ServiceAccountFile, type TokenIssuer } from './clouds/token-issuer.ts';
import { createVertexProtocol } from './vertex/protocol.ts';
import { createAlphaProtocol } from './alpha-video/protocol.ts';
import { createBetaProtocol } from './beta-video/protocol.ts';
import { answerControl, controlPrefix } from './http/control.ts';
import { openExchange, readHead } from './http/exchange.ts';
import { readAnyKey, withoutKey, withoutSecrets } from './http/keys.ts';
import { answerCall, type SandboxContext } from './http/answer-call.ts';
import { createAnthropicProtocol } from './anthropic/protocol.ts';
import { createOnceMemory } from './directives.ts';
import { createGeminiProtocol } from './gemini/protocol.ts';
import { answerImageFile, imageFilePrefix } from './openai/images/image-files.ts';
import { createOpenaiProtocol } from './openai/protocol.ts';
import { openRealtimeDoor } from './realtime/accept.ts';
import { createRerankProtocol } from './rerank/protocol.ts';
import { createRecordBook, type SandboxRecord } from './records.ts';
import { answerResultFile } from './video/result-files.ts';
import { resultPrefix } from './video/result-link.ts';
import { createVideoStudio, type VideoStudio } from './video/studio.ts';
import type { SandboxTask } from './video/task-memory.ts';
import { createGeminiOmniProtocol } from './video-vendors/gemini-omni.ts';
import { createKlingProtocol } from './video-vendors/kling.ts';
import { createLumaProtocol } from './video-vendors/luma.ts';
import { createMinimaxProtocol } from './video-vendors/minimax.ts';
import { createRunwayProtocol } from './video-vendors/runway.ts';
import { createVeoProtocol } from './video-vendors/veo.ts';
import { createViduProtocol } from './video-vendors/vidu.ts';
import { createXaiVideoProtocol } from './video-vendors/xai.ts';

export type { SandboxRecord } from './records.ts';
export type { SandboxTask } from './video/task-memory.ts';

/** One line per protocol, under the name of the provider that speaks it. */
const createProtocols = (studio: VideoStudio, tokens: TokenIssuer) => ({
  openai: createOpenaiProtocol(studio),
  anthropic: createAnthropicProtocol(),
  gemini: createGeminiProtocol(),
  rerank: createRerankProtocol(),
  azure: createAzureProtocol(createOpenaiProtocol(studio), tokens),
  bedrock: createBedrockProtocol(),
  vertex: createVertexProtocol(tokens),
  alpha: createAlphaProtocol(studio),
  'beta-video': createBetaProtocol(studio),
  kling: createKlingProtocol(studio),
  minimax: createMinimaxProtocol(studio),
  runway: createRunwayProtocol(studio),
  luma: createLumaProtocol(studio),
  vidu: createViduProtocol(studio),
  'xai-video': createXaiVideoProtocol(studio),
  'gemini-video': createGeminiOmniProtocol(studio),
  'vertex-video': createVeoProtocol(studio),
});

export type SandboxProvider = keyof ReturnType<typeof createProtocols>;

export type SandboxOptions = {
  /** 0, the default, takes a free port. */
  port?: number;
  host?: string;
  /** Model names accepted besides `sandbox-*` and the protocols' own. */
  models?: readonly string[];
  now?: () => number;
  /** Where callbacks may go, of this machine: all of it when absent. A gateway's tenants must not reach its neighbours. */
  callbackHosts?: readonly string[];
};

export type Sandbox = {
  /** For example `http://127.0.0.1:8090`. */
  address: string;
  /** What a channel's base_url takes; directives as in a path, several joined by commas: `slow-200,fail-500`. */
  baseUrl(provider: SandboxProvider, directive?: string): string;
  /** The same without directives, of every provider. */
  baseUrls(): Record<SandboxProvider, string>;
  /** The last 10,000 calls, oldest first; the list and its entries go on changing as calls proceed. */
  records: readonly SandboxRecord[];
  /** The video tasks as they are now, oldest first. */
  tasks(): SandboxTask[];
  /** The file of the service account that vertex knows. */
  serviceAccount(): ServiceAccountFile;
  /** Tokens of clouds that were given are refused from now on. */
  expireTokens(): void;
  /** Forgets records, counts and which once-directives have struck; tasks go on. */
  clear(): void;
  stop(): Promise<void>;
};

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', models = [], now = Date.now } = options;
  // Each sandbox has its own, for what a protocol remembers between calls.
  const studio = createVideoStudio(options.callbackHosts);
  const tokens = createTokenIssuer();
  const protocols = createProtocols(studio, tokens);
  const book = createRecordBook();
  const onceMemory = createOnceMemory();
  const context: SandboxContext = { book, onceMemory, models, protocols: Object.values(protocols) };
  const tasks = (): SandboxTask[] => studio.tasks.summarise(now());
  const clear = (): void => {
    book.clear();
    onceMemory.clear();
  };

  function openRecord(request: IncomingMessage): SandboxRecord {
    const head = readHead(request);
    return book.open({
      at: now(),
      method: request.method ?? 'GET',
      path: head.path,
      query: withoutKey(head.query),
      keyHint: readAnyKey(head)?.slice(-4) ?? null,
      headers: withoutSecrets(request.headers),
    });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const head = readHead(request);
    const { path } = head;
    if (path.startsWith(controlPrefix)) return answerControl(request, response, { book, clear, tasks, tokens });
    const record = openRecord(request);
    const exchange = openExchange({ request, response, record, now });
    if (path.startsWith(imageFilePrefix)) return answerImageFile(exchange);
    if (path.startsWith(resultPrefix)) return answerResultFile(exchange, studio);
    await answerCall(exchange, context);
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    // Both handlers answer their own errors; what is left is a defect, and the caller shall see it as one.
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const realtime = openRealtimeDoor(context, now);
  server.on('upgrade', (request, socket, head) =>
    realtime.take({ request, socket, head, record: openRecord(request), target: readHead(request) }),
  );
  const address = await listen(server, port, host);
  const baseUrl: Sandbox['baseUrl'] = (provider, directive) => {
    const behave = directive === undefined ? '' : `/behave/${encodeURI(directive)}`;
    return `${address}${behave}${protocols[provider].basePath}`;
  };
  return {
    address,
    baseUrl,
    baseUrls() {
      const providers = Object.keys(protocols) as SandboxProvider[];
      return Object.fromEntries(providers.map((provider) => [provider, baseUrl(provider)])) as ReturnType<
        Sandbox['baseUrls']
      >;
    },
    records: book.records,
    serviceAccount: () => tokens.serviceAccount(),
    expireTokens: () => tokens.expireAll(),
    tasks,
    clear,
    stop: async () => {
      studio.stop();
      await realtime.stop();
      await stop(server);
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the sandbox listens on no port');
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
