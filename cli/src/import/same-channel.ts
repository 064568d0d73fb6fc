// Whether a channel of the gateway is the one that an earlier run made from a row of the source. Names alone do not say it:
// two sources may both have a channel "main".
import type { Channel } from '#contract/channels.ts';
import { hintOf } from '../../../server/src/shared/sealed-headers.ts';
import type { PlannedChannel } from './import-plan.ts';

/** The hint of a key that is too short to be recognised. */
const NOTHING = '...';

type There = Pick<Channel, 'provider' | 'base_url' | 'keys' | 'models' | 'sandbox'>;

/** Address, keys or models may have been changed since, but not two of them. */
export function isSameChannel(there: There, planned: PlannedChannel): boolean {
  if (there.provider !== planned.provider || there.sandbox) return false;
  const models = Object.keys(planned.models ?? {});
  const isEmpty = models.length === 0;
  const facts = [
    there.base_url === planned.base_url,
    hasKeys(there, planned),
    isEmpty ? Object.keys(there.models).length === 0 : models.every((model) => Object.hasOwn(there.models, model)),
  ];
  return facts.filter(Boolean).length >= 2;
}

export function hasKeys({ keys }: Pick<There, 'keys'>, planned: PlannedChannel): boolean {
  const hints = keys.map(({ hint }) => hint);
  return hasVisibleKeys(planned) && visible(planned).every((hint) => hints.includes(hint));
}

export function hasVisibleKeys(planned: PlannedChannel): boolean {
  return visible(planned).length > 0;
}

function visible({ keys = [] }: PlannedChannel): string[] {
  return keys.map(hintOf).filter((hint) => hint !== NOTHING);
}
