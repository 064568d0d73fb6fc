// What a relayed request asks for, as admission reads it.
import type { Principal } from '../access/principal.ts';
import type { Protocol, RelayRequest } from '../protocols/protocol.ts';
import { serves } from '../providers/registry.ts';
import type { UpstreamObjects } from '../store/queries/upstream-objects.ts';
import type { Asked } from './admit.ts';
import { dropUnpriced } from './drop-unpriced.ts';
import { ruleOfObjects } from './stored/owned-objects.ts';
import { refuseDropped } from './translate.ts';

type Naming = Pick<Asked<RelayRequest>, 'objectsOf'>;

const servesFor = (): typeof serves => serves;

/** A request that is charged. A strict caller is refused what the model has no price for. */
export function askedText(
  { operation, units }: Protocol,
  request: RelayRequest,
  { strict, objectsOf }: Naming & { strict: boolean },
): Asked<RelayRequest> {
  return {
    model: request.model,
    operation,
    units,
    servesFor,
    objectsOf,
    forModel(model) {
      const priced = dropUnpriced(request, model);
      if (strict) refuseDropped(priced);
      return priced;
    },
  };
}

/** A request to count tokens: free, and answered without any channel where none has an answer. */
export function askedCount({ operation }: Protocol, request: RelayRequest, { objectsOf }: Naming): Asked<RelayRequest> {
  return { model: request.model, operation, units: undefined, servesFor, objectsOf, forModel: () => request };
}

/** The rule of what requests name that upstreams keep. */
export function namedObjects(
  objects: Pick<UpstreamObjects, 'find'>,
  principal: Principal,
  { operation }: Protocol,
): Naming['objectsOf'] {
  return (catalogue, { model, request }) => ruleOfObjects(objects, { catalogue, principal, request, model, operation });
}
