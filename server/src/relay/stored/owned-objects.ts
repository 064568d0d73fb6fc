// Ids in a request that name what an upstream keeps under our key. An account may name what it made itself, and is routed to
// where that is; anything else is as if it did not exist, except at a channel that belongs to the account or shares what it
// keeps.
import type { Principal } from '../../access/principal.ts';
import type { Catalogue, ChannelFacts, Model } from '../../catalogue/catalogue.ts';
import { channelsCarrying, reachesChannel } from '../../catalogue/visible-models.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { NamedObject } from '../../protocols/json/named-objects.ts';
import type { Operation, RelayRequest } from '../../protocols/protocol.ts';
import { operationFor, serves } from '../../providers/registry.ts';
import type { ChannelKeyId } from '../../routing/affinity.ts';
import type { ObjectRule } from '../../routing/candidates.ts';
import type { UpstreamObjects } from '../../store/queries/upstream-objects.ts';

export interface NamingCall {
  catalogue: Catalogue;
  principal: Principal;
  request: RelayRequest;
  model: Model;
  operation: Operation;
}

const SHOWN_ID = 100;

/** undefined when nothing is named, which costs nothing. Throws 404 that names the field before anything is held. */
export function ruleOfObjects(
  objects: Pick<UpstreamObjects, 'find'>,
  call: NamingCall,
): undefined | Promise<ObjectRule> {
  const named = call.request.namedObjects?.() ?? [];
  return named.length === 0 ? undefined : makeRule(objects, call, named);
}

async function makeRule(
  objects: Pick<UpstreamObjects, 'find'>,
  { catalogue, principal, model, operation }: NamingCall,
  named: readonly NamedObject[],
): Promise<ObjectRule> {
  const { accountId } = principal;
  const found = await objects.find(
    accountId,
    named.map(({ id }) => id),
  );
  const reached = channelsCarrying(catalogue, model.id).filter(
    (facts) => reachesChannel(principal, facts) && serves(facts, operation, model.id),
  );
  const isReached = ({ channelId }: ChannelKeyId): boolean => reached.some(({ id }) => id === channelId);
  const channelKeyOf = ({ id }: NamedObject): ChannelKeyId | undefined => {
    const channelKey = found.get(id);
    // What a real channel keeps is out of a test token's reach (contract 5).
    return channelKey === undefined || (principal.mode === 'test' && !isReached(channelKey)) ? undefined : channelKey;
  };
  const isSoft = named.every(({ soft }) => soft);
  const last = named.findLast((one) => channelKeyOf(one) !== undefined);
  const kept = last === undefined ? undefined : channelKeyOf(last);
  // What is only looked up where it was made is said in full for others: they may go on without it.
  const only = kept !== undefined && isSoft && !isReached(kept) ? undefined : kept;
  const unknown = named.filter((one) => only === undefined || channelKeyOf(one) === undefined);
  const allows = (facts: ChannelFacts): boolean =>
    unknown.length === 0 ||
    facts.options.accountId === accountId ||
    facts.options.sharedObjects ||
    (unknown.every(({ soft }) => soft) && operationFor(facts, operation, model.id) !== operation);
  const may =
    only === undefined ? reached.some(allows) : reached.every((one) => one.id !== only.channelId || allows(one));
  const [first] = unknown.filter(({ soft }) => !soft).concat(unknown);
  if (!may && first !== undefined) throw notThere(first);
  return { only, field: last?.field ?? '', allows };
}

/** The same for what nobody made and for what somebody else did. */
function notThere({ id, field }: NamedObject): GatewayError {
  const shown = id.length > SHOWN_ID ? `${id.slice(0, SHOWN_ID)}...` : id;
  const message = `'${field}' names "${shown}", which does not exist or was not made by this account.`;
  return new GatewayError('not_found', { message, param: field });
}
