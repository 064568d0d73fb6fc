// POST /v1/messages/batches: the requests come with the create, and are kept as they came until the batch has ended.
import type { Principal } from '../../access/principal.ts';
import type { BatchRow } from '../../store/queries/batches.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import { planMessages } from './plan-messages.ts';
import { newBatchId, startBatch } from './start-batch.ts';

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
