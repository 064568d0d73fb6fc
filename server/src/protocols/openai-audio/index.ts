// Speech, transcription and translation of the compatible protocol: nothing but the list of their parts.
import type { Form } from '../../neutral/form.ts';
import { writeForm } from '../json/form-request.ts';
import { writeJson } from '../json/write-json.ts';
import { readComplaint, typedErrorEvent } from '../openai-chat/error.ts';
import type { Protocol, RelayRequest } from '../protocol.ts';
import { readSpeechRequest } from './read-speech-request.ts';
import { readSpeechStream, readTranscriptStream } from './relay-stream.ts';
import { readSound, readTranscript } from './read-answer.ts';
import { readTranscriptionRequest } from './read-transcription-request.ts';
import { fixedFormFields, fixedSpeechFields } from './wire.ts';

export const openaiSpeech: Protocol = {
  name: 'openai-speech',
  operation: 'speech',
  units: ['characters', 'tokens', 'request'],
  answers: 'bytes',
  mayAnswerWhole: true,
  readAnswer: readSound,
  readComplaint,
  errorEvent: typedErrorEvent,
};

export const openaiTranscriptions: Protocol = {
  name: 'openai-transcriptions',
  operation: 'transcription',
  units: ['audio_second', 'tokens', 'request'],
  answers: 'whole',
  mayAnswerWhole: true,
  readAnswer: readTranscript,
  readComplaint,
  errorEvent: typedErrorEvent,
};

export const openaiTranslations: Protocol = {
  ...openaiTranscriptions,
  name: 'openai-translations',
  operation: 'translation',
};

/** Throws a GatewayError that names the field. */
export function readSpeech(body: Buffer): RelayRequest {
  const { json, ...request } = readSpeechRequest(body);
  return {
    ...request,
    write: (target) => writeJson({ json, model: request.model, fixed: fixedSpeechFields }, target),
    readStream: readSpeechStream,
  };
}

/** Rejects with a GatewayError that names the field. */
export async function readTranscription(form: Form): Promise<RelayRequest> {
  const request = await readTranscriptionRequest(form);
  return {
    ...request,
    write: (target) => writeForm({ form, model: request.model, fixed: fixedFormFields }, target),
    readStream: readTranscriptStream,
  };
}
