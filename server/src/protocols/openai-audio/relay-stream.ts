// Follows streams of speech and of transcripts (spec 6).
import { countTextTokens } from '../stream/count-pieces.ts';
import { complaintOf } from '../openai-chat/error.ts';
import { countSoundTokens } from '../stream/relay-bytes.ts';
import { TypedEventReader, type TypedStream } from '../stream/typed-events.ts';
import { readTypedUsage } from '../stream/typed-usage.ts';

/** Every event of these streams has a type; an error may come without one. */
const FAILURES = ['error', ''];

const speechStream: TypedStream = {
  ends: ['speech.audio.done'],
  failures: FAILURES,
  pieces: ['speech.audio.delta'],
  field: 'audio',
  countTokens: (_, base64) => countSoundTokens((base64 * 3) / 4),
  readUsage: (event) => readTypedUsage(event['usage'], 'audio'),
  readComplaint: complaintOf,
};

const transcriptStream: TypedStream = {
  ends: ['transcript.text.done'],
  failures: FAILURES,
  pieces: ['transcript.text.delta'],
  field: 'delta',
  countTokens: countTextTokens,
  readUsage: (event) => readTypedUsage(event['usage'], 'text'),
  readComplaint: complaintOf,
};

export function readSpeechStream(): TypedEventReader {
  return new TypedEventReader(speechStream);
}

export function readTranscriptStream(): TypedEventReader {
  return new TypedEventReader(transcriptStream);
}
