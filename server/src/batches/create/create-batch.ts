// POST /v1/batches: reads what is asked for, checks the input file, holds the money.
import type { Principal } from '../../access/principal.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { fileNotFound, getOwnFile } from '../../files/file-dependencies.ts';
import { notHere } from '../../files/open-file.ts';
import { readExpiresAfter } from '../../files/read-upload.ts';
import {
  OBJECT,
  presentField,
  readJsonBody,
  readValue,
  requireText,
  STRING,
} from '../../protocols/json/json-request.ts';
import type { JsonObject } from '../../shared/json-fields.ts';
import type { BatchRow } from '../../store/queries/batches.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import { planLines } from './plan-lines.ts';
import { startBatch } from './start-batch.ts';
import { type JsonPath, jsonPaths } from '../../protocols/paths.ts';

/** Also for the OpenAPI document. */
export const batchFields = new Map([
  ['input_file_id', STRING],
  ['endpoint', STRING],
  ['completion_window', STRING],
  ['metadata', OBJECT],
  ['output_expires_after', OBJECT],
]);
/** The paths that lines of a batch may be for (contract-2 8). */
export const BATCH_PATHS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/messages',
  '/v1/rerank',
] as const;

function kindOf(endpoint: string): JsonPath | undefined {
  const path = BATCH_PATHS.find((one) => one === endpoint);
  return path && jsonPaths[path];
}

const WINDOW = '24h';
const [MOST_PAIRS, LONGEST_NAME, LONGEST_VALUE] = [16, 64, 512];

export async function createBatch(
  dependencies: BatchDependencies,
  principal: Principal,
  body: Buffer,
): Promise<BatchRow> {
  const json = readJsonBody(body, batchFields, [...batchFields.keys()]);
  const fileId = requireText(json, 'input_file_id');
  const endpoint = requireText(json, 'endpoint');
  const kind = kindOf(endpoint);
  if (kind === undefined) throw invalidRequest(`'endpoint' must be one of ${BATCH_PATHS.join(', ')}.`, 'endpoint');
  if (requireText(json, 'completion_window') !== WINDOW)
    throw invalidRequest(`'completion_window' must be ${WINDOW}.`, 'completion_window');
  const metadata = readMetadata(json);
  const expiry = readValue(json, 'output_expires_after') as Parameters<typeof readExpiresAfter>[0] | null | undefined;
  const outputSeconds =
    expiry === null || expiry === undefined ? null : readExpiresAfter(expiry, 'output_expires_after');
  const file = await getOwnFile(dependencies.files, principal.accountId, fileId).catch((error: unknown) => {
    throw error instanceof GatewayError && error.code === 'not_found' ? fileNotFound(fileId, 'input_file_id') : error;
  });
  if (file.purpose !== 'batch')
    throw invalidRequest(
      `'input_file_id' must name a file of the purpose batch, not ${file.purpose}.`,
      'input_file_id',
    );
  const input = await dependencies.files.blobs.open(file.id);
  if (input === undefined) throw notHere(file.id);
  const plan = await planLines(dependencies, { endpoint, kind, principal, input });
  input.destroy();
  return startBatch(
    dependencies,
    {
      principal,
      style: 'openai',
      endpoint,
      input_file_id: file.id,
      inputBlob: () => file.id,
      headers: '{}',
      completion_window: WINDOW,
      metadata,
      output_seconds: outputSeconds,
    },
    plan,
  );
}

function readMetadata(json: JsonObject): string | null {
  if (presentField(json, 'metadata') === undefined) return null;
  const pairs = Object.entries(readValue(json, 'metadata') as Record<string, unknown>);
  if (pairs.length > MOST_PAIRS) throw invalidRequest(`'metadata' must have at most ${MOST_PAIRS} names.`, 'metadata');
  for (const [name, value] of pairs) {
    if (name.length <= LONGEST_NAME && typeof value === 'string' && value.length <= LONGEST_VALUE) continue;
    const bounds = `names of at most ${LONGEST_NAME} and texts of at most ${LONGEST_VALUE} characters`;
    throw invalidRequest(`'metadata' must have ${bounds}.`, `metadata.${name}`);
  }
  return JSON.stringify(Object.fromEntries(pairs)).replaceAll('\\u0000', '');
}
