// For tests: a token and one model on sale, carried by channels of the test's choice.
import type { Principal } from '../access/principal.ts';
import type { Catalogue, ChannelFacts, Model } from '../catalogue/catalogue.ts';
import { readPrice } from '../catalogue/prices.ts';
import { catalogue } from '../routing/testing/offered.ts';

/** 1 per million of input tokens, 2 per million of output tokens. */
const TOKEN_PRICE = { unit: 'tokens', input: '1', output: '2' };

export const principal = (more: Partial<Principal> = {}): Principal => ({
  tokenId: 'tok',
  accountId: 'acc',
  accountStatus: 'active',
  accountModels: undefined,
  tokenModels: undefined,
  group: 'default',
  mode: 'live',
  status: 'enabled',
  expiresAt: undefined,
  keyEndsAt: undefined,
  ipAllow: undefined,
  origins: undefined,
  rateSubjects: [],
  strict: false,
  fitBalance: false,
  storeBodies: undefined,
  ...more,
});

export const model = (more: Partial<Omit<Model, 'price'>> & { price?: object } = {}): Model => ({
  id: 'm',
  ownedBy: 'acme',
  endpointTypes: [],
  enabled: true,
  flag: undefined,
  maxOutputTokens: undefined,
  created: 0,
  ...more,
  price: readPrice(JSON.stringify(more.price ?? TOKEN_PRICE)),
});

export function offer(offered: Model, ...channels: ChannelFacts[]): Catalogue {
  return { ...catalogue(...channels), models: new Map([[offered.id, offered]]) };
}
