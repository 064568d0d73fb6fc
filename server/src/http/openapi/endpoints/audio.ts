// Speech, transcriptions and translations of audio (spec 2.9) in the OpenAPI document.
import { formFields, formLists, speechFields } from '../../../protocols/openai-audio/wire.ts';
import { bodyFrom, formFrom } from '../from-fields.ts';
import {
  type Components,
  count,
  type Descriptions,
  eventsOf,
  flag,
  list,
  map,
  must,
  number,
  object,
  oneWord,
  parameter,
  ref,
  text,
  whole,
} from '../schema.ts';

const form = formFrom({
  names: [...formFields, ...formLists],
  required: ['model', 'file'],
  notes: {
    model: 'Name of a model of GET /v1/models',
    file: { about: 'The audio', schema: text(undefined, { format: 'binary' }) },
    response_format: 'json, text, srt, verbose_json, vtt or diarized_json',
    stream: { about: 'Answer as server-sent events, where the model can', schema: flag() },
    language: 'ISO 639-1, such as en',
    prompt: 'Text that the audio goes on from',
    temperature: { about: 'Sampling temperature', schema: number() },
    timestamp_granularities: { about: 'word, segment', schema: list(text()) },
    include: { about: 'What else to put into the answer', schema: list(text()) },
    known_speaker_names: { about: 'Names of speakers', schema: list(text()) },
    known_speaker_references: { about: 'Samples of their voices, as data: addresses', schema: list(text()) },
  },
});

export const components: Components = {
  AudioUsage: object({
    type: text('tokens or duration'),
    seconds: number(),
    input_tokens: count(),
    output_tokens: count(),
    total_tokens: count(),
    input_token_details: object({ text_tokens: count(), audio_tokens: count() }),
  }),
  Transcript: object(
    {
      text: must(text()),
      task: text(),
      language: text(),
      duration: number(),
      segments: list(map()),
      words: list(map()),
      logprobs: list(map()),
      usage: ref('AudioUsage'),
    },
    'With response_format text, srt and vtt the answer is text',
  ),
  SpeechDelta: whole({ type: oneWord('speech.audio.delta'), audio: text('base64') }),
  SpeechDone: object({ type: must(oneWord('speech.audio.done')), usage: ref('AudioUsage') }),
  SpeechEvent: eventsOf(
    { 'speech.audio.delta': 'SpeechDelta', 'speech.audio.done': 'SpeechDone', error: 'StreamError' },
    'With stream_format sse.',
  ),
  TranscriptDelta: object({ type: must(oneWord('transcript.text.delta')), delta: must(text()), logprobs: list(map()) }),
  TranscriptDone: object({
    type: must(oneWord('transcript.text.done')),
    text: must(text()),
    logprobs: list(map()),
    usage: ref('AudioUsage'),
  }),
  TranscriptSegment: object({
    type: must(oneWord('transcript.text.segment')),
    id: text(),
    start: number(),
    end: number(),
    speaker: text(),
    text: text(),
  }),
  TranscriptEvent: eventsOf(
    {
      'transcript.text.delta': 'TranscriptDelta',
      'transcript.text.segment': 'TranscriptSegment',
      'transcript.text.done': 'TranscriptDone',
      error: 'StreamError',
    },
    'With stream true.',
  ),
};

const transcript = {
  form,
  answer: ref('Transcript'),
  answerExample: { text: 'Hello.' },
  event: ref('TranscriptEvent'),
};

export const descriptions: Descriptions = {
  'GET /v1/realtime': {
    operationId: 'openRealtimeSession',
    says: 'A WebSocket (101); without one 426. Its events are those of the vendor: docs/realtime.md',
    query: [parameter('model', text(), 'Name of a model of GET /v1/models', true)],
  },
  'POST /v1/audio/speech': {
    operationId: 'createSpeech',
    body: bodyFrom({
      fields: speechFields,
      required: ['model', 'input'],
      notes: {
        model: 'Name of a model of GET /v1/models',
        input: 'The text to speak; each character counts',
        voice: 'Voice of the provider',
        instructions: 'How to speak',
        response_format: 'mp3, opus, aac, flac, wav or pcm',
        speed: 'How fast',
        stream_format: 'sse for server-sent events, else audio',
        metadata: { about: 'Passed on', schema: map() },
      },
    }),
    example: { model: 'speech-example', input: 'Hello.', voice: 'alloy' },
    bytes: 'audio/*',
    event: ref('SpeechEvent'),
  },
  'POST /v1/audio/transcriptions': { operationId: 'createTranscription', ...transcript },
  'POST /v1/audio/translations': { operationId: 'createAudioTranslation', ...transcript },
};
