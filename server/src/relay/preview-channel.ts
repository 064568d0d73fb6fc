// What an operator may ask about an upstream before it carries a model: its models, and a test call, of a channel that is
// saved or of one that is not saved yet (contract-2 9).
import type { Catalogue, ChannelFacts } from '../catalogue/catalogue.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import type { UpstreamClient } from '../providers/call-upstream.ts';
import { findProvider } from '../providers/registry.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Router } from '../routing/candidates.ts';
import { Channel } from '../routing/channel.ts';
import { ChannelKey } from '../routing/channel-key.ts';
import type { Candidate } from '../routing/route.ts';
import { systemClock } from '../shared/clock.ts';
import { hideUpstream } from './hide-upstream.ts';
import { listModels, type ListingProvider } from './list-models.ts';
import { describeFailure, type ChannelTestResult, type TestedModel, testKey, testOf } from './test-channel.ts';

export interface PreviewDependencies {
  client: UpstreamClient;
  router: Router;
  catalogue: Catalogue;
}

/** A channel that is not saved. */
export interface PreviewInput {
  facts: Omit<ChannelFacts, 'keys'>;
  keys: readonly string[];
  /** Of `facts.models`, by its public name. */
  model: string | undefined;
  /** How it will be sold, where the catalogue does not have it. */
  priced?: TestedModel | undefined;
}

export interface Preview {
  models: string[];
  /** Why there is no list. */
  listError: string | undefined;
  test: ChannelTestResult | undefined;
}

/** Upstream names. Throws the operator's error. */
export async function upstreamModels(
  { client, router, catalogue }: PreviewDependencies,
  channelId: string,
): Promise<string[]> {
  const channel = router.channels(catalogue).find(({ facts }) => facts.id === channelId);
  if (channel === undefined) throw new GatewayError('not_found', { message: `There is no channel "${channelId}".` });
  const provider = listingProvider(channel.facts.provider);
  if (provider === undefined)
    throw invalidRequest(`A channel of provider "${channel.facts.provider}" cannot list its models.`, 'provider');
  const [key = channel.keys[0] ?? new ChannelKey('', '')] = channel.keysInUse;
  const candidate = { channel, key };
  try {
    return await listModels(client, provider, candidate);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw new GatewayError('upstream_error', {
      message: hideUpstream(describeFailure(error), candidate),
      cause: error,
    });
  }
}

export async function previewChannel(
  { client, catalogue }: Pick<PreviewDependencies, 'client' | 'catalogue'>,
  { facts, keys, model, priced }: PreviewInput,
): Promise<Preview> {
  const provider = findProvider(facts.provider);
  if (provider === undefined) throw invalidRequest(`There is no provider "${facts.provider}".`, 'provider');
  const key = new ChannelKey('preview', keys[0] ?? '');
  const candidate = { channel: new Channel({ ...facts, keys: [] }, [key], systemClock), key };
  const [list, test] = await Promise.all([
    tryList(client, candidate),
    model === undefined
      ? undefined
      : testKey({ client, catalogue }, candidate, {
          provider,
          model,
          test: testOf(provider, catalogue.models.get(model) ?? priced),
        }),
  ]);
  const { failure: _, ...result } = test ?? { failure: undefined };
  return { ...list, test: test === undefined ? undefined : (result as ChannelTestResult) };
}

async function tryList(client: UpstreamClient, candidate: Candidate): Promise<Omit<Preview, 'test'>> {
  const provider = listingProvider(candidate.channel.facts.provider);
  if (provider === undefined) return { models: [], listError: 'Channels of this provider cannot list their models.' };
  try {
    return { models: await listModels(client, provider, candidate), listError: undefined };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { models: [], listError: hideUpstream(describeFailure(error), candidate) };
  }
}

function listingProvider(name: string): ListingProvider | undefined {
  const provider = findProvider(name);
  return provider?.models === undefined ? undefined : (provider as ListingProvider);
}
