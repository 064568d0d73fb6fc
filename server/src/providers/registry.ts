// One line per provider.
import { openaiCompatible } from './openai-compatible/provider.ts';
import type { TextProvider } from './provider.ts';

const textProviders = new Map<string, TextProvider>([openaiCompatible].map((provider) => [provider.name, provider]));

/** The provider of that name if it can generate text. */
export function textProvider(name: string): TextProvider | undefined {
  return textProviders.get(name);
}
