// One line per provider, and what follows from it: in which words a channel is asked for something.
import type { Operation } from '../protocols/protocol.ts';
import { alternativesTo } from '../protocols/translation/translations.ts';
import { alphaVideo } from './alpha-video/provider.ts';
import { anthropic } from './anthropic/provider.ts';
import { azure } from './azure/provider.ts';
import { bedrock } from './bedrock/provider.ts';
import { betaVideo } from './beta-video/provider.ts';
import { gemini } from './gemini/provider.ts';
import { geminiVideo } from './gemini-video/provider.ts';
import { kling } from './kling/provider.ts';
import { luma } from './luma/provider.ts';
import { minimax } from './minimax/provider.ts';
import { openaiCompatible } from './openai-compatible/provider.ts';
import type { Provider } from './provider.ts';
import { rerankVendor } from './rerank/provider.ts';
import { runway } from './runway/provider.ts';
import { vertexVideo } from './vertex-video/provider.ts';
import { vidu } from './vidu/provider.ts';
import { vertex } from './vertex/provider.ts';
import { xaiVideo } from './xai-video/provider.ts';

const providers = new Map<string, Provider>();

/** Operations that an upstream has only where it has another. */
const PARTS_OF: Partial<Record<Operation, Operation>> = { 'count-responses': 'responses', compact: 'responses' };

/** Makes a provider known: to the relay, the tasks, the operator API and the console. */
export function register(provider: Provider): void {
  if (providers.has(provider.name)) throw new Error(`there is a provider ${provider.name} already`);
  providers.set(provider.name, provider);
}

for (const provider of [
  openaiCompatible,
  anthropic,
  gemini,
  rerankVendor,
  azure,
  bedrock,
  vertex,
  alphaVideo,
  betaVideo,
  kling,
  minimax,
  runway,
  luma,
  vidu,
  xaiVideo,
  geminiVideo,
  vertexVideo,
])
  register(provider);

export function listProviders(): Provider[] {
  return [...providers.values()];
}

/** What of a channel decides how it is spoken to. */
export interface SpeakingChannel {
  provider: string;
  options: { speaks?: readonly string[] | null | undefined };
  /** Public name of a model -> the upstream's. */
  models?: ReadonlyMap<string, string>;
}

export function findProvider(name: string): Provider | undefined {
  return providers.get(name);
}

/**
 * The operation that a channel is asked for: the caller's own, or another that it can be translated into. The model is the
 * caller's name of it; without one, it is any that the channel may have.
 */
export function operationFor(channel: SpeakingChannel, wanted: Operation, model?: string): Operation | undefined {
  if (has(channel, wanted, model)) return wanted;
  return alternativesTo(wanted).find((operation) => has(channel, operation, model));
}

export function serves(channel: SpeakingChannel, operation: Operation, model?: string): boolean {
  return operationFor(channel, operation, model) !== undefined;
}

/** Contract 3: an operator may say which text protocols an upstream lacks although its provider has them. */
function has({ provider, options, models }: SpeakingChannel, operation: Operation, model?: string): boolean {
  const found = providers.get(provider);
  if (found?.paths[operation] === undefined) return false;
  const upstreamModel = model === undefined ? undefined : models?.get(model);
  if (upstreamModel !== undefined && found.carries?.(operation, upstreamModel) === false) return false;
  const { speaks } = options;
  const spoken = PARTS_OF[operation] ?? operation;
  return speaks === undefined || speaks === null || !found.mayLack?.includes(spoken) || speaks.includes(spoken);
}
