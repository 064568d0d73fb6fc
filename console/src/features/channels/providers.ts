// What the console must know of each kind of upstream to show the right fields.
import type { Channel } from '#contract/channels.ts';

export type ProviderName = Channel['provider'];

export interface ProviderFacts {
  name: ProviderName;
  label: string;
  about: string;
  baseUrl: string;
  /** Which base address the vendor's own library takes. */
  baseUrlHint: string;
  /** Has the choice of protocols. */
  speaks: boolean;
}

export const providers: ProviderFacts[] = [
  {
    name: 'openai',
    label: 'OpenAI-compatible',
    about: 'Any upstream that speaks the compatible protocol: chat, responses, embeddings, images, audio',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlHint: 'Ends in /v1, as the vendor’s library takes it',
    speaks: true,
  },
  {
    name: 'anthropic',
    label: 'Anthropic messages',
    about: 'The message-style protocol',
    baseUrl: 'https://api.anthropic.com',
    baseUrlHint: 'The host alone; the gateway adds /v1/messages',
    speaks: false,
  },
  {
    name: 'gemini',
    label: 'Gemini generate-content',
    about: 'The generate-content protocol',
    baseUrl: 'https://generativelanguage.googleapis.com',
    baseUrlHint: 'The host alone; the gateway adds /v1beta/models/…',
    speaks: false,
  },
  {
    name: 'rerank',
    label: 'Rerank',
    about: 'The /rerank protocol shared by several vendors',
    baseUrl: 'https://api.example.com/v1',
    baseUrlHint: 'Ends in /v1; the gateway adds /rerank',
    speaks: false,
  },
  {
    name: 'alpha',
    label: 'Video, family alpha',
    about: 'Asynchronous video with seconds and resolutions',
    baseUrl: 'https://video.example.com',
    baseUrlHint: 'The host alone; the gateway adds /api/v1/…',
    speaks: false,
  },
  {
    name: 'beta-video',
    label: 'Video, family beta',
    about: 'Asynchronous video charged by tokens',
    baseUrl: 'https://video.example.com/api/v3',
    baseUrlHint: 'Ends in /api/v3',
    speaks: false,
  },
];

export function providerLabel(name: string): string {
  return providers.find((provider) => provider.name === name)?.label ?? name;
}

export function makesVideos(name: ProviderName): boolean {
  return name === 'alpha' || name === 'beta-video';
}
