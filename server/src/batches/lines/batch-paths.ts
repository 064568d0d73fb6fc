// The paths that lines of a batch may be for (contract-2 8).
import { type JsonPath, jsonPaths } from '../../protocols/paths.ts';

export const BATCH_PATHS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/messages',
  '/v1/rerank',
] as const;

export function kindOf(endpoint: string): JsonPath | undefined {
  const path = BATCH_PATHS.find((one) => one === endpoint);
  return path && jsonPaths[path];
}
