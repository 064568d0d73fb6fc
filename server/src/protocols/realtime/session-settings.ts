// What of a session's settings decides about money: who may begin a response, what is transcribed, what comes out. Read from
// the session as its upstream shows it.
import { asCount, asList, asRecord, asText } from '../json/json-value.ts';
import { type AudioFormat, PCM, readFormat } from './audio-length.ts';

export interface SessionSettings {
  /** A pause in what is heard may begin a response. */
  respondsByItself: boolean;
  /** The upstream's name of what writes down what is heard; undefined where nothing does. */
  transcription: string | undefined;
  /** Of one response; undefined where only the model bounds it. */
  maxOutputTokens: number | undefined;
  speaks: boolean;
  inputFormat: AudioFormat;
  outputFormat: AudioFormat;
}

/** Until the first event: a session listens and speaks. */
export const FIRST_SETTINGS: SessionSettings = {
  respondsByItself: true,
  transcription: undefined,
  maxOutputTokens: undefined,
  speaks: true,
  inputFormat: PCM,
  outputFormat: PCM,
};

export function readSettings(session: unknown): SessionSettings {
  const fields = asRecord(session) ?? {};
  const audio = asRecord(fields['audio']) ?? {};
  const input = asRecord(audio['input']) ?? {};
  const output = asRecord(audio['output']) ?? {};
  const detection = asRecord(input['turn_detection']);
  const transcription = asRecord(input['transcription']);
  return {
    respondsByItself: detection !== undefined && detection['create_response'] !== false,
    transcription: transcription === undefined ? undefined : (asText(transcription['model']) ?? ''),
    maxOutputTokens: asCount(fields['max_output_tokens']),
    speaks: speaksAloud(fields['output_modalities']) ?? true,
    inputFormat: readFormat(input['format']) ?? PCM,
    outputFormat: readFormat(output['format']) ?? PCM,
  };
}

/** undefined where nothing is said about it. */
export function speaksAloud(modalities: unknown): boolean | undefined {
  return modalities === undefined ? undefined : asList(modalities).includes('audio');
}
