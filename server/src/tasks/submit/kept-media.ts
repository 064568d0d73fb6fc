// What a request for a video names that a vendor keeps under our key: files of its storage and of buckets, earlier
// interactions and generations. No account has made them through this gateway, so only a channel that belongs to the account,
// or shares what it keeps, may be asked for them (contract-2 7).
import type { Principal } from '../../access/principal.ts';
import type { Catalogue, ChannelFacts } from '../../catalogue/catalogue.ts';
import { channelsCarrying, reachesChannel } from '../../catalogue/visible-models.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { findProvider } from '../../providers/registry.ts';
import type { ObjectRule } from '../../routing/candidates.ts';

export interface KeptMedium {
  id: string;
  /** Where it stands, in the caller's names. */
  field: string;
}

const MOST = 100;
const LONGEST = 16 * 1024;
const SHOWN = 100;
/** Any scheme but those that everybody can follow: `gs://bucket/file`, `asset://...`. */
const STORED = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/./i;
/** A file of Google's own storage for models, whole or by its name. */
const FILE = /^(?:https?:\/\/[\w-]+\.googleapis\.com\/(?:upload\/)?v\d\w*\/)?files\/[\w-]+/i;
const NAMES_KEPT = /^(?:previous_?interaction|generation|file|interaction)_?id$/i;

export function keptMedia(request: VideoRequest): readonly KeptMedium[] {
  const found: KeptMedium[] = [];
  const look = (value: unknown, field: string, name = ''): void => {
    if (found.length === MOST) return;
    if (typeof value === 'string') {
      const text = value.slice(0, LONGEST).trim();
      if (STORED.test(text) || FILE.test(text) || (NAMES_KEPT.test(name) && text !== ''))
        found.push({ id: value, field });
    } else if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) look(one, `${field}[${index}]`, name);
    } else if (typeof value === 'object' && value !== null) {
      const { type, id } = value as Record<string, unknown>;
      if (type === 'generation' && typeof id === 'string') found.push({ id, field: `${field}.id` });
      for (const [inner, one] of Object.entries(value)) look(one, `${field}.${inner}`, inner);
    }
  };
  look(request.image, 'image');
  look(request.images, 'images');
  look(request.inputReference, 'input_reference');
  for (const [name, value] of Object.entries(request.metadata)) look(value, `metadata.${name}`, name);
  return found;
}

export interface KeptCall {
  catalogue: Catalogue;
  principal: Principal;
  request: VideoRequest;
  serves(channel: ChannelFacts): boolean;
}

/** undefined where nothing is named, as with almost all. Throws 404 where no channel of the model may be asked for it. */
export function ruleOfKeptMedia({ catalogue, principal, request, serves }: KeptCall): ObjectRule | undefined {
  const [first, ...others] = keptMedia(request);
  if (first === undefined) return undefined;
  const named = [first, ...others];
  const isSent = (facts: ChannelFacts): boolean => {
    const { bytes } =
      findProvider(facts.provider)?.video?.plan(request, facts.models.get(request.model) ?? '').body ?? {};
    return bytes !== undefined && named.some(({ id }) => bytes.includes(JSON.stringify(id.trim()).slice(1, -1)));
  };
  const allows = (facts: ChannelFacts): boolean =>
    facts.options.accountId === principal.accountId || facts.options.sharedObjects || !isSent(facts);
  const reached = channelsCarrying(catalogue, request.model).filter(
    (facts) => reachesChannel(principal, facts) && serves(facts),
  );
  if (reached.length === 0 || reached.some(allows)) return { only: undefined, field: first.field, allows };
  throw notThere(first);
}

/** The same for what nobody made and for what somebody else did. */
function notThere({ id, field }: KeptMedium): GatewayError {
  const shown = id.length > SHOWN ? `${id.slice(0, SHOWN)}...` : id;
  const message = `'${field}' names "${shown}", which does not exist or was not made by this account.`;
  return new GatewayError('not_found', { message, param: field });
}
