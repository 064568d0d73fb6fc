// A request that may go on from an earlier response: one that the gateway keeps is put into the request, one that an
// upstream keeps binds the request to its channel key.
import { checkModelScope } from '../../access/scopes.ts';
import { conversationOf, continueFrom } from '../../protocols/openai-responses/kept/continue-response.ts';
import { isOwnId } from '../../protocols/openai-responses/kept/kept-response.ts';
import { scanAhead } from '../../protocols/json/json-request.ts';
import type { Affinity } from '../../relay/call.ts';
import type { EndpointDependencies, Exchange } from '../endpoint.ts';
import { channelKeyOf } from './stored-responses.ts';

const PREVIOUS = 'previous_response_id';

/** A new one for each request: `only` is set where an upstream keeps what it goes on from. */
export function affinityOfPrevious(): Affinity {
  return { only: undefined, taken: undefined, field: PREVIOUS };
}

interface Reading<R> {
  body: Buffer;
  affinity: Affinity;
  /** The request in these bytes; `previousId` where the conversation up to there was put into them. */
  read(body: Buffer, previousId?: string): R;
}

/** With the kept response that it goes on from, where there is one. */
export async function readPreviousResponse<R extends { previousResponseId: string | undefined }>(
  dependencies: EndpointDependencies,
  exchange: Exchange,
  { body, affinity, read }: Reading<R>,
): Promise<{ request: R; previous?: string }> {
  const request = read(body);
  const id = request.previousResponseId;
  if (id === undefined) return { request };
  const chain = isOwnId(id) ? await dependencies.kept.chain(exchange.principal, id, exchange.reserve) : undefined;
  const last = chain?.turns.at(-1);
  if (chain === undefined || last === undefined) {
    affinity.only = await channelKeyOf(dependencies, exchange, { id, param: PREVIOUS });
    return { request };
  }
  checkModelScope(dependencies.catalogue.current, exchange.principal, last.model);
  await exchange.reserve(body.length); // it is in the whole one again
  const whole = continueFrom(body, conversationOf(chain.turns));
  chain.release(Math.max(0, whole.length - body.length));
  await scanAhead(whole);
  return { request: read(whole, id), previous: id };
}
