// The kinds of calls the playground makes: where they go, which models fit, and their bodies.
import type { Model } from '#contract/models.ts';
import type { SampleCall } from '../../lib/code-samples.ts';

export type KindName = 'chat' | 'image' | 'speech' | 'transcription' | 'embeddings' | 'rerank' | 'video';

export interface Inputs {
  system: string;
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
    label: 'Chat',
    asks: 'Message',
    fits: (model) => ['tokens', 'request'].includes(model.price?.unit ?? '') && !typed(model, 'embeddings'),
    call: (model, { system, prompt }) => ({
      path: '/v1/chat/completions',
      body: {
        model,
        stream: true,
        messages: [
          ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
          { role: 'user', content: prompt },
        ],
      },
    }),
    example: { prompt: 'Say hello in three languages.' },
  },
  {
    name: 'image',
    label: 'Image',
    asks: 'What to draw',
    fits: (model) => model.price?.unit === 'image' || typed(model, 'image-generation'),
    call: (model, { prompt, size }) => ({
      path: '/v1/images/generations',
      body: { model, prompt, size, response_format: 'b64_json' },
    }),
    example: { prompt: 'A toll bridge at dawn, watercolour' },
  },
  {
    name: 'speech',
    label: 'Speech',
    asks: 'What to say',
    fits: (model) => model.price?.unit === 'characters',
    call: (model, { prompt, voice }) => ({
      path: '/v1/audio/speech',
      body: { model, input: prompt, voice, response_format: 'wav' },
      output: 'speech.wav',
    }),
    example: { prompt: 'The gate is open.' },
  },
  {
    name: 'transcription',
    label: 'Transcription',
    asks: 'Recording',
    fits: (model) => model.price?.unit === 'audio_second',
    call: (model) => ({ path: '/v1/audio/transcriptions', body: { model }, file: 'file' }),
    example: {},
  },
  {
    name: 'embeddings',
    label: 'Embeddings',
    asks: 'Texts, one per line',
    fits: (model) => typed(model, 'embeddings'),
    call: (model, { lines }) => ({ path: '/v1/embeddings', body: { model, input: linesOf(lines) } }),
    example: { lines: 'a bridge over a river\na ticket office\na cat on a wall' },
  },
  {
    name: 'rerank',
    label: 'Rerank',
    asks: 'Documents, one per line',
    fits: (model) => model.price?.unit === 'search' || typed(model, 'rerank'),
    call: (model, { prompt, lines }) => ({
      path: '/v1/rerank',
      body: { model, query: prompt, documents: linesOf(lines), return_documents: true },
    }),
    example: {
      prompt: 'Where is the ticket office?',
      lines: 'The ticket office is by the gate.\nCats sleep on walls.\nThe river is wide.',
    },
  },
  {
    name: 'video',
    label: 'Video',
    asks: 'What to film',
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
    example: { prompt: 'A toll bridge at dawn, the barrier opens' },
  },
];

export function kindOf(name: string | undefined): Kind {
  return kinds.find((kind) => kind.name === name) ?? (kinds[0] as Kind);
}
