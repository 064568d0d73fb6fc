// Which models a token may use (contract section 2). One function decides, and both the list and each request ask it, so
// that what is listed is what is served.
import type { ErrorCode } from '../errors/codes.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Catalogue, ChannelFacts, Model } from './catalogue.ts';

/** What of a token decides which models it sees. */
export interface ModelScope {
  accountId: string;
  accountStatus: 'active' | 'disabled';
  accountModels: ModelPatterns;
  tokenModels: ModelPatterns;
  /** The token's group, or else its account's. */
  group: string;
  mode: 'live' | 'test';
}

type Refusal = Extract<
  ErrorCode,
  'account_disabled' | 'no_channel_available' | 'model_not_found' | 'model_not_allowed' | 'group_not_allowed'
>;

/** Sorted by id. */
export function visibleModels(catalogue: Catalogue, scope: ModelScope): Model[] {
  return [...catalogue.models.keys()]
    .sort()
    .map((id) => decide(catalogue, scope, id))
    .filter((decision) => typeof decision === 'object');
}

/** Throws the error of contract section 2 when the model is not among the visible ones. */
export function modelAccess(catalogue: Catalogue, scope: ModelScope, modelId: string): { model: Model } {
  const decision = decide(catalogue, scope, modelId);
  if (typeof decision === 'object') return { model: decision };
  throw refusalError(decision, scope, modelId);
}

/** Why the scopes of a token do not reach the model; undefined when they do. Price, switch and channel state are not asked. */
export function scopeRefusal(catalogue: Catalogue, scope: ModelScope, modelId: string): GatewayError | undefined {
  if (!allows(scope.tokenModels, modelId) || !allows(scope.accountModels, modelId))
    return refusalError('model_not_allowed', scope, modelId);
  const model = catalogue.models.get(modelId);
  const isOff = catalogue.flags.get(model?.flag ?? '')?.enabled === false; // for everybody
  const carriers = channelsCarrying(catalogue, modelId);
  const isReached =
    (model === undefined || isOff || flagIsOn(catalogue, scope, model)) &&
    allows(catalogue.groups.get(scope.group)?.models, modelId) &&
    (carriers.length === 0 || carriers.some(({ groups }) => groups.length === 0 || groups.includes(scope.group)));
  return isReached ? undefined : refusalError('model_not_found', scope, modelId);
}

/** Whether the token may be sent to the channel at all; whether the channel works just now is not asked. */
export function reachesChannel(
  scope: Pick<ModelScope, 'group' | 'mode'> & { accountId?: string },
  channel: ChannelFacts,
): boolean {
  const { accountId } = channel.options;
  return (
    channel.enabled &&
    (accountId === undefined || accountId === scope.accountId) &&
    (channel.groups.length === 0 || channel.groups.includes(scope.group)) &&
    (scope.mode === 'live' || channel.sandbox)
  );
}

/** The order matters: the first that holds is the caller's error. */
function decide(catalogue: Catalogue, scope: ModelScope, modelId: string): Model | Refusal {
  const model = catalogue.models.get(modelId);
  if (scope.accountStatus !== 'active') return 'account_disabled';
  if (scope.mode === 'test' && !catalogue.sandbox) return 'no_channel_available';
  if (model === undefined || !flagIsOn(catalogue, scope, model)) return 'model_not_found'; // exists only where its flag is on
  if (!allows(scope.tokenModels, model.id) || !allows(scope.accountModels, model.id)) return 'model_not_allowed';
  if (!isKnownGroup(catalogue, scope.group)) return 'group_not_allowed';
  const offered =
    model.enabled &&
    model.price !== undefined &&
    allows(catalogue.groups.get(scope.group)?.models, model.id) &&
    channelsCarrying(catalogue, model.id).some((channel) => reachesChannel(scope, channel));
  return offered ? model : 'model_not_found';
}

function flagIsOn(catalogue: Catalogue, scope: ModelScope, model: Model): boolean {
  if (model.flag === undefined) return true;
  const flag = catalogue.flags.get(model.flag);
  if (flag === undefined || !flag.enabled) return false;
  if (flag.accounts.length === 0 && flag.groups.length === 0) return true;
  return flag.accounts.includes(scope.accountId) || flag.groups.includes(scope.group);
}

function isKnownGroup(catalogue: Catalogue, group: string): boolean {
  return (
    group === 'default' ||
    catalogue.groups.has(group) ||
    catalogue.channels.some((channel) => channel.groups.includes(group))
  );
}

const NAME_LENGTH = 200; // the longest an operator can give; the caller's text is not echoed beyond it

function refusalError(refusal: Refusal, scope: ModelScope, modelId: string): GatewayError {
  const name = modelId.length > NAME_LENGTH ? `${modelId.slice(0, NAME_LENGTH)}...` : modelId;
  const isTest = scope.mode === 'test';
  const messages: Record<Refusal, string> = {
    account_disabled: `The account of this API key is disabled, so it may not use the model "${name}".`,
    no_channel_available: `This is a test API key, and the sandbox that would answer for the model "${name}" is off.`,
    model_not_found: `The model "${name}" does not exist or is not available to this API key. ${isTest ? 'This is a test API key, which reaches only models of the sandbox. ' : ''}GET /v1/models lists those that are.`,
    model_not_allowed: `This API key may not use the model "${name}".`,
    group_not_allowed: `The group "${scope.group}" of this API key is not set up here, so it may not use the model "${name}".`,
  };
  return new GatewayError(refusal, { message: messages[refusal], param: 'model' });
}

/** As long as their catalogue lives: no request looks through all channels. */
const indexes = new WeakMap<Catalogue, Map<string, ChannelFacts[]>>();

/** Enabled or not, of any group. */
export function channelsCarrying(catalogue: Catalogue, modelId: string): readonly ChannelFacts[] {
  let index = indexes.get(catalogue);
  if (index === undefined) {
    index = indexByModel(catalogue);
    indexes.set(catalogue, index);
  }
  return index.get(modelId) ?? [];
}

function indexByModel(catalogue: Catalogue): Map<string, ChannelFacts[]> {
  const index = new Map<string, ChannelFacts[]>();
  for (const channel of catalogue.channels) {
    for (const model of channel.models.keys()) {
      const carriers = index.get(model);
      if (carriers === undefined) index.set(model, [channel]);
      else carriers.push(channel);
    }
  }
  return index;
}

/**
 * Models in the scope of a token, an account or a group: exact names, or a prefix followed by `*`. undefined = every model; an
 * empty list = none.
 */
export type ModelPatterns = readonly string[] | undefined;

export function allows(patterns: ModelPatterns, model: string): boolean {
  if (patterns === undefined) return true;
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : pattern === model,
  );
}

/** As the store keeps them: JSON text, null = every model. */
export function readPatterns(text: string | null): ModelPatterns {
  return text === null ? undefined : (JSON.parse(text) as string[]);
}
