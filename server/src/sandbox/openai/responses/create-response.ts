// POST /v1/responses: checks the request, composes the output, keeps it where asked, sends it whole or as a stream.
import { sendStream } from '../../http/send-stream.ts';
import { sendWhole } from '../../http/send-whole.ts';
import { refuse, type WireObject } from '../../fields/refuse.ts';
import type { Call } from '../../protocol.ts';
import { servedTier } from '../../text/server-side.ts';
import { writeError } from '../error.ts';
import { makeId } from '../make-id.ts';
import { checkModel } from '../models.ts';
import { composeOutput } from './compose-output.ts';
import { checkCalls } from './input-items.ts';
import type { ResponseMemory, StoredResponse } from './response-memory.ts';
import { readResponseRequest } from './response-request.ts';
import { writeErrorEvent, writeEvents } from './write-events.ts';
import { writeDoneResponse, writeOpenResponse } from './write-response.ts';

/** How long a background response takes. */
const backgroundMs = 1000;

export async function createResponse(call: Call, memory: ResponseMemory): Promise<void> {
  const { exchange, behaviour, body, models, now, key } = call;
  const request = readResponseRequest(body);
  checkModel(request.model, models);
  const previous = findPrevious(memory, key, request.previousId);
  const conversation = [...(previous?.conversation ?? []), ...request.items];
  checkCalls(conversation);

  const output = composeOutput(request, conversation, call);
  const waits = request.background && !request.stream;
  const serviceTier = servedTier(request.serviceTier, behaviour, 'default');
  const head = { id: makeId(call, 'resp_'), createdAt: Math.floor(now / 1000), serviceTier };
  const open = writeOpenResponse(request, head, waits ? 'queued' : 'in_progress');
  const response = writeDoneResponse(open, output);
  if (request.store) {
    memory.keep({
      key,
      id: head.id,
      response,
      inputItems: request.items.map((item, index) => ({ id: makeId(call, 'msg_', `input${index}`), ...item })),
      conversation: [...conversation, ...(response['output'] as WireObject[])],
      background: request.background,
      doneAt: waits ? now + backgroundMs : now,
      isCancelled: false,
      bytes: exchange.record.bodyBytes + (previous?.bytes ?? 0),
    });
  }
  const errorBody = writeError({ status: 500 });
  if (!request.stream || behaviour.ignoreStream) {
    return sendWhole(exchange, { body: waits ? open : response, errorBody }, behaviour);
  }
  await sendStream(exchange, { events: writeEvents(open, response, output), writeError: writeErrorEvent }, behaviour);
}

function findPrevious(memory: ResponseMemory, key: string, id: string | undefined): StoredResponse | undefined {
  if (id === undefined) return undefined;
  const previous = memory.find(key, id);
  if (previous !== undefined) return previous;
  const message = `Previous response with id '${id.slice(0, 200)}' not found.`;
  refuse('previous_response_id', message, 'previous_response_not_found');
}
