// Catalogues of channels that all carry one model, for tests of routes, and a request that they serve.
import type { Catalogue, ChannelFacts } from '../../catalogue/catalogue.ts';
import { readChannelOptions } from '../../catalogue/channel-options.ts';
import { makeSecretBox } from '../../shared/secret-box.ts';
import type { RouteRequest } from '../candidates.ts';

export const secretBox = makeSecretBox('the master secret of this test');
export const REQUEST: RouteRequest = {
  model: 'm',
  group: 'default',
  mode: 'live',
  operation: 'chat',
  serves: ({ provider }) => provider === 'openai',
};

export const key = (id: string): ChannelFacts['keys'][number] => ({
  id,
  ciphertext: secretBox.seal(`secret of ${id}`),
  isDisabled: false,
});

export const facts = (id: string, more: Partial<ChannelFacts> = {}): ChannelFacts => ({
  id,
  name: id,
  provider: 'openai',
  baseUrl: `http://${id}.example/v1`,
  models: new Map([['m', 'upstream-m']]),
  groups: [],
  priority: 0,
  weight: 1,
  enabled: true,
  sandbox: false,
  headers: {},
  options: readChannelOptions('{}'),
  keys: [key(`${id}-1`)],
  ...more,
});

export const catalogue = (...channels: ChannelFacts[]): Catalogue => ({
  models: new Map(),
  groups: new Map(),
  flags: new Map(),
  channels,
  sandbox: true,
});
