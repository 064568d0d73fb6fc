// GET and DELETE /v1/responses/{id}, GET .../input_items, POST .../cancel for a response that the gateway keeps itself
// (contract-2 7): answered from the store, to the account that made it, within the scopes of its token.
import { checkModelScope } from '../../access/scopes.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { conversationInput } from '../../protocols/openai-responses/kept/continue-response.ts';
import { isOwnId } from '../../protocols/openai-responses/kept/kept-response.ts';
import { listItems } from '../../protocols/openai-responses/kept/list-items.ts';
import { logAnswered } from '../../relay/stored/log-answered.ts';
import type { EndpointDependencies, Exchange } from '../endpoint.ts';
import { asksStream, sendReplay } from './replay-response.ts';

export interface KeptQuestion {
  id: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Behind the id. */
  behind: string;
}

/** False where the gateway keeps no such response: then an upstream may. */
export async function answerKept(
  dependencies: EndpointDependencies,
  exchange: Exchange,
  { id, method, behind }: KeptQuestion,
): Promise<boolean> {
  const { kept, catalogue, relay } = dependencies;
  const { principal } = exchange;
  const found = isOwnId(id) ? await kept.find(principal, id) : undefined;
  if (found === undefined) return false;
  checkModelScope(catalogue.current, principal, found.model);
  const send = await answerOf(dependencies, exchange, { id, method, behind });
  await logAnswered(relay, { ...exchange, endpoint: `/v1/responses/{id}${behind}`, model: found.model });
  send();
  return true;
}

async function answerOf(
  { kept }: EndpointDependencies,
  exchange: Exchange,
  { id, method, behind }: KeptQuestion,
): Promise<() => void> {
  const { principal, query, reserve } = exchange;
  if (method === 'DELETE') {
    await kept.forget(principal, id);
    return () => exchange.sendJson({ id, object: 'response', deleted: true });
  }
  if (behind === '/input_items') {
    const turns = await kept.history(principal, id, reserve);
    if (turns === undefined) throw new GatewayError('not_found');
    const list = listItems(conversationInput(turns), new URLSearchParams(query));
    return () => exchange.sendJson(list);
  }
  const found = await kept.read(principal, id, reserve);
  if (found === undefined) throw new GatewayError('not_found');
  // What is over stays as it is: to cancel it again changes nothing.
  if (method === 'GET' && asksStream(query)) return () => sendReplay(exchange, found.response);
  return () => exchange.sendJson(found.response);
}
