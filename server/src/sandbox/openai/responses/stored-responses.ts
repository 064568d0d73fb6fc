// What can be done with a stored response: read it, delete it, cancel it while it runs in the background, list its input.
import { sendWhole } from '../../http/send-whole.ts';
import type { WireObject } from '../../fields/refuse.ts';
import { refuse } from '../../fields/refuse.ts';
import type { Call } from '../../protocol.ts';
import { Refusal } from '../../refusal.ts';
import { writeError } from '../error.ts';
import type { ResponseMemory, StoredResponse } from './response-memory.ts';

export async function getResponse(call: Call, memory: ResponseMemory): Promise<void> {
  await send(call, writeStored(findStored(call, memory), call.now));
}

export async function deleteResponse(call: Call, memory: ResponseMemory): Promise<void> {
  const { id } = findStored(call, memory);
  memory.forget(id);
  await send(call, { id, object: 'response', deleted: true });
}

export async function cancelResponse(call: Call, memory: ResponseMemory): Promise<void> {
  const stored = findStored(call, memory);
  if (!stored.background) {
    throw new Refusal({ status: 400, message: 'Cannot cancel a synchronous response.', code: 'invalid_value' });
  }
  // Once done it stays done, and cancelling twice is the same as once.
  if (call.now < stored.doneAt) stored.isCancelled = true;
  await send(call, writeStored(stored, call.now));
}

export async function listInputItems(call: Call, memory: ResponseMemory): Promise<void> {
  const { inputItems } = findStored(call, memory);
  const { query } = call;
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) refuse('limit', "Invalid 'limit': expected 1 to 100.");
  const ordered = query.get('order') === 'asc' ? inputItems : inputItems.toReversed();
  const after = query.get('after');
  const start = after === null ? 0 : ordered.findIndex((item) => item['id'] === after) + 1;
  const data = ordered.slice(start, start + limit);
  await send(call, {
    object: 'list',
    data,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
    has_more: start + limit < ordered.length,
  });
}

function findStored({ path, key }: Call, memory: ResponseMemory): StoredResponse {
  const id = path.split('/')[3] ?? '';
  const stored = memory.find(key, id);
  if (stored !== undefined) return stored;
  throw new Refusal({ status: 404, message: `Response with id '${id.slice(0, 200)}' not found.` });
}

function writeStored({ response, doneAt, isCancelled }: StoredResponse, now: number): WireObject {
  if (isCancelled) return { ...response, status: 'cancelled', output: [], usage: null };
  return now < doneAt ? { ...response, status: 'in_progress', output: [], usage: null } : response;
}

async function send({ exchange, behaviour }: Call, body: WireObject): Promise<void> {
  await sendWhole(exchange, { body, errorBody: writeError({ status: 500 }) }, behaviour);
}
