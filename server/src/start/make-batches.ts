// Batches and the engine that runs their lines, each through the endpoint of its path. Made here, started when the server
// listens.
import type { BatchDependencies, LineCall } from '../batches/batch-dependencies.ts';
import { BatchEngine } from '../batches/batch-engine.ts';
import { BATCH_PATHS } from '../batches/create/create-batch.ts';
import { SILENCE_SECONDS } from '../billing/sweeper.ts';
import type { Endpoint, Exchange } from '../endpoints/endpoint.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { RequestMemory } from '../http/request-memory.ts';
import { publicRoutes } from '../http/routes.ts';
import { blobsOfBatches } from '../store/queries/batches.ts';
import { endpointDependencies, type OwnDependencies } from './endpoint-dependencies.ts';
import type { Admitting } from './make-admission.ts';
import type { Data } from './open-data.ts';
import type { Money } from './start-money.ts';
import type { StartContext } from './start-context.ts';

export type Batches = ReturnType<typeof makeBatches>;

/** Of the paths that lines may be for, and of no other. */
const LINE_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  publicRoutes
    .filter(({ method, path }) => method === 'POST' && BATCH_PATHS.some((one) => one === path))
    .map(({ path, endpoint }) => [path, endpoint]),
);
const OLDEST_VERSION = '2023-06-01';
/** Lines of all tokens together have as much of the memory for bodies as one token of live requests. */
const LINES = { owner: 'lines of batches', yields: true };

export function makeBatches(
  context: StartContext,
  dependencies: Data & OwnDependencies & Pick<Money, 'ledgerDependencies'> & Admitting,
) {
  const { config, clock, errors, processId, started } = context;
  const { store, catalogue, files, kept, relay, ledgerDependencies, admission, bodyBudget } = dependencies;
  const batches: BatchDependencies = {
    store,
    files,
    kept,
    catalogue,
    clock,
    ledgerDependencies,
    owner: processId,
    concurrency: config.batchConcurrency,
    maxBodyBytes: config.maxBodyBytes,
    runLine: async (call) => {
      const endpoint = LINE_ENDPOINTS.get(call.endpoint);
      if (endpoint === undefined) throw new GatewayError('not_found');
      const memory = new RequestMemory(bodyBudget, LINES);
      try {
        await endpoint({ ...inside, relay: { ...relay, ledger: call.ledger } }, exchangeOf(call, memory));
      } finally {
        memory.end();
      }
    },
    isBusy: () => relay.workload.capacity <= 0,
    openRequests: () => admission.open,
    creating: new Set(),
    wake: () => batchEngine.wake(),
    onError: (error, what) => errors.tell(error, what),
  };
  const inside = endpointDependencies(context, dependencies, batches);
  const batchEngine = new BatchEngine(batches, { silenceSeconds: SILENCE_SECONDS });
  files.isUsed = (keys) => blobsOfBatches(store.reads, keys);
  started.add('batches', (graceMs) => batchEngine.stop(graceMs));
  return { batches, batchEngine };
}

/** As if a client had sent it. */
function exchangeOf(
  { requestId, principal, headers, bodyBytes, readBody, reply, agreed, onAnswer }: LineCall,
  memory: RequestMemory,
): Exchange {
  return {
    requestId,
    method: 'POST',
    principal,
    startedAt: performance.now(),
    wildcard: '',
    query: '',
    strict: principal.strict,
    version: headers['anthropic-version'] ?? OLDEST_VERSION,
    header: (name) => headers[name],
    reply,
    sendsJson: true,
    async readJson() {
      await memory.reserve(bodyBytes);
      return readBody();
    },
    readForm: () => Promise.reject(new GatewayError('unsupported_media_type')),
    reserve: (bytes, lasting) => memory.reserve(bytes, lasting),
    sendJson() {},
    isBatch: true,
    agreed,
    onAnswer,
  };
}
