// The kinds of calls the playground makes: where they go, which models fit, and their bodies.
import type { Model } from '#contract/models.ts';
import { t } from '../../i18n/t.ts';
import type { SampleCall } from '../../lib/code-samples.ts';
import { chatCall, noSettings } from './chat-call.ts';

export type KindName = 'chat' | 'image' | 'speech' | 'transcription' | 'embeddings' | 'rerank' | 'video';

export interface Inputs {
  prompt: string;
  size: string;
  voice: string;
  seconds: string;
  /** Address of a picture to begin with. */
  reference: string;
  /** One per line. */
  lines: string;
}

export interface Kind {
  name: KindName;
  label: string;
  /** What the main field is called. */
  asks: string;
  fits(model: Model): boolean;
  call(model: string, inputs: Inputs): SampleCall;
  example: Partial<Inputs>;
}

const typed = (model: Model, type: Model['endpoint_types'][number]) => model.endpoint_types.includes(type);
const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

export const kinds: Kind[] = [
  {
    name: 'chat',
    label: t('Chat'),
    asks: t('Message'),
    fits: (model) => ['tokens', 'request'].includes(model.price?.unit ?? '') && !typed(model, 'embeddings'),
    call: (model, { prompt }) => chatCall(model, noSettings, [{ text: prompt, files: [], answer: '' }]),
    example: { prompt: t('Say hello in three languages.') },
  },
  {
    name: 'image',
    label: t('Image'),
    asks: t('What to draw'),
    fits: (model) => model.price?.unit === 'image' || typed(model, 'image-generation'),
    call: (model, { prompt, size }) => ({
      path: '/v1/images/generations',
      body: { model, prompt, size, response_format: 'b64_json' },
    }),
    example: { prompt: t('A toll bridge at dawn, watercolour') },
  },
  {
    name: 'speech',
    label: t('Speech'),
    asks: t('What to say'),
    fits: (model) => model.price?.unit === 'characters',
    call: (model, { prompt, voice }) => ({
      path: '/v1/audio/speech',
      body: { model, input: prompt, voice, response_format: 'wav' },
      output: 'speech.wav',
    }),
    example: { prompt: t('The gate is open.') },
  },
  {
    name: 'transcription',
    label: t('Transcription'),
    asks: t('Recording'),
    fits: (model) => model.price?.unit === 'audio_second',
    call: (model) => ({ path: '/v1/audio/transcriptions', body: { model }, file: 'file' }),
    example: {},
  },
  {
    name: 'embeddings',
    label: t('Embeddings'),
    asks: t('Texts, one per line'),
    fits: (model) => typed(model, 'embeddings'),
    call: (model, { lines }) => ({ path: '/v1/embeddings', body: { model, input: linesOf(lines) } }),
    example: { lines: [t('a bridge over a river'), t('a ticket office'), t('a cat on a wall')].join('\n') },
  },
  {
    name: 'rerank',
    label: t('Rerank'),
    asks: t('Documents, one per line'),
    fits: (model) => model.price?.unit === 'search' || typed(model, 'rerank'),
    call: (model, { prompt, lines }) => ({
      path: '/v1/rerank',
      body: { model, query: prompt, documents: linesOf(lines), return_documents: true },
    }),
    example: {
      prompt: t('Where is the ticket office?'),
      lines: [t('The ticket office is by the gate.'), t('Cats sleep on walls.'), t('The river is wide.')].join('\n'),
    },
  },
  {
    name: 'video',
    label: t('Video'),
    asks: t('What to film'),
    fits: (model) =>
      ['second', 'video_tokens', 'reported'].includes(model.price?.unit ?? '') || typed(model, 'compat-video'),
    call: (model, { prompt, seconds, reference }) => ({
      path: '/v1/videos',
      body: {
        model,
        prompt,
        seconds,
        ...(reference.trim() !== '' && { input_reference: { image_url: reference.trim() } }),
      },
      output: 'video.mp4',
    }),
    example: { prompt: t('A toll bridge at dawn, the barrier opens') },
  },
];

export function kindOf(name: string | undefined): Kind {
  return kinds.find((kind) => kind.name === name) ?? (kinds[0] as Kind);
}
