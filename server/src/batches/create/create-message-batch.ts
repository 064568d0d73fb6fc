// POST /v1/messages/batches: the requests come with the create, and are kept as they came until the batch has ended.
import type { Principal } from '../../access/principal.ts';
import type { BatchRow } from '../../store/queries/batches.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import { newBatchId, startBatch } from './start-batch.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { OBJECT, presentField, readJsonBody, readValue, STRING } from '../../protocols/json/json-request.ts';
import {
  arrayElements,
  type JsonObject,
  JsonSyntaxError,
  scanInSlices,
  scanJsonObject,
} from '../../shared/json-fields.ts';
import { nextRound } from '../../shared/wait.ts';
import { jsonPaths } from '../../protocols/paths.ts';
import { customIdProblem, MOST_LINES, type PlannedLine } from './batch-plan.ts';
import { type EstimateDependencies, LineEstimator } from './estimate-line.ts';

export async function createMessageBatch(
  dependencies: BatchDependencies,
  principal: Principal,
  { body, headers }: { body: Buffer; headers: Readonly<Record<string, string>> },
): Promise<BatchRow> {
  const lines = await planMessages(dependencies, principal, body);
  const id = newBatchId(dependencies, 'anthropic');
  const blob = `${id}_input`;
  const { blobs } = dependencies.files;
  await blobs.put(blob, {
    length: body.length,
    async *open() {
      yield body;
    },
  });
  const facts = {
    style: 'anthropic',
    endpoint: '/v1/messages',
    input_file_id: null,
    headers: JSON.stringify(headers),
    completion_window: '24h',
    metadata: null,
    output_seconds: null,
  } as const;
  try {
    return await startBatch(dependencies, { principal, inputBlob: () => blob, ...facts }, { lines, problems: [] }, id);
  } catch (error) {
    await blobs.remove(blob);
    throw error;
  }
}

// Checks the requests before anything is made; the first that is wrong is refused by its path (contract-2 8).
/** Of one request; also for the OpenAPI document. */
export const messageLineFields = new Map([
  ['custom_id', STRING],
  ['params', OBJECT],
]);
const SLICE_BYTES = 512 * 1024;
const SLICE_MS = 10;
/** A batch has many times what a single request may have. */
const MOST_VALUES = 20_000_000;
const ENDPOINT = '/v1/messages';

async function planMessages(
  dependencies: EstimateDependencies,
  principal: Principal,
  body: Buffer,
): Promise<PlannedLine[]> {
  const json = await scan(body);
  const requests = json.fields.get('requests');
  if (requests?.kind !== 'array') throw invalidRequest("'requests' must be an array.", 'requests');
  const elements = arrayElements(json, requests);
  if (elements.length === 0) throw invalidRequest("'requests' must not be empty.", 'requests');
  if (elements.length > MOST_LINES)
    throw invalidRequest(`'requests' must have at most ${MOST_LINES} entries.`, 'requests');
  const estimator = new LineEstimator(dependencies, principal);
  const lines: PlannedLine[] = [];
  const seen = new Set<string>();
  let sliceStart = performance.now();
  for (const [index, element] of elements.entries()) {
    const path = `requests[${index}]`;
    try {
      const { customId, start, end } = readRequest(element);
      if (seen.has(customId)) throw invalidRequest(`'custom_id' "${customId}" is used twice.`, 'custom_id');
      seen.add(customId);
      const { amount, price } = await estimator.estimate(jsonPaths[ENDPOINT], element.subarray(start, end));
      const offset = element.byteOffset - body.byteOffset;
      lines.push({ customId, start: offset + start, end: offset + end, estimate: amount, price });
    } catch (error) {
      throw withPath(error, path);
    }
    if (performance.now() - sliceStart < SLICE_MS) continue;
    await nextRound();
    sliceStart = performance.now();
  }
  return lines;
}

/** Other bounds hold for a batch than for one request, so what was scanned for that is not asked. */
async function scan(body: Buffer): Promise<JsonObject> {
  const bytes = body.subarray();
  try {
    await scanInSlices(bytes, { maxValues: MOST_VALUES, sliceBytes: SLICE_BYTES, slot: nextRound });
    return scanJsonObject(bytes, { maxValues: MOST_VALUES });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidRequest(`The body is not a valid JSON object: ${error.message}.`);
  }
}

function readRequest(element: Buffer): { customId: string; start: number; end: number } {
  const json = readJsonBody(element, messageLineFields, ['custom_id', 'params']);
  const customId = readValue(json, 'custom_id');
  const problem = customIdProblem(customId);
  if (problem !== undefined) throw invalidRequest(problem, 'custom_id');
  const params = presentField(json, 'params');
  if (params === undefined) throw invalidRequest("'params' is required.", 'params');
  return { customId: customId as string, start: params.valueStart, end: params.valueEnd };
}

function withPath(error: unknown, path: string): unknown {
  if (!(error instanceof GatewayError) || error.status >= 500) return error;
  const { param } = error.details;
  const message = `${path}: ${error.message}`;
  return new GatewayError(error.code, {
    ...error.details,
    message,
    param: param === undefined ? path : `${path}.${param}`,
  });
}
