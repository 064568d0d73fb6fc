// One line per provider.
import type { Operation } from '../protocols/protocol.ts';
import { alphaVideo } from './alpha-video/provider.ts';
import { betaVideo } from './beta-video/provider.ts';
import { openaiCompatible } from './openai-compatible/provider.ts';
import type { Provider } from './provider.ts';
import { rerankVendor } from './rerank/provider.ts';

const providers = new Map<string, Provider>(
  [openaiCompatible, rerankVendor, alphaVideo, betaVideo].map((provider) => [provider.name, provider]),
);

export function findProvider(name: string): Provider | undefined {
  return providers.get(name);
}

export function serves(name: string, operation: Operation): boolean {
  return providers.get(name)?.paths[operation] !== undefined;
}
