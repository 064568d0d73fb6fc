// Reads the form of a transcription or translation.
// https://platform.openai.com/docs/api-reference/audio/createTranscription
import {
  checkBody,
  checkBoolean,
  checkModelName,
  checkNumber,
  checkOneOf,
  checkText,
  refuseMissing,
} from '../../fields/check-fields.ts';
import { readFormValues } from '../../fields/form-values.ts';
import { refuse } from '../../fields/refuse.ts';
import type { FormFile } from '../../http/form/form.ts';
import { measureAudio } from '../../media/audio-length.ts';
import type { Call } from '../../protocol.ts';

export type TranscriptFormat = (typeof formats)[number];

export type TranscriptionRequest = {
  model: string;
  file: FormFile;
  seconds: number;
  language: string | undefined;
  prompt: string | undefined;
  format: TranscriptFormat;
  stream: boolean;
  wantsWords: boolean;
};

const formats = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const;
const formTypes = { numbers: ['temperature'], booleans: ['stream'] };

export function readTranscriptionRequest({ body, form }: Call): TranscriptionRequest {
  const fields = readFormValues(checkBody(body), formTypes);
  const model = checkModelName(fields['model']);
  const [file, ...others] = form?.files.filter(({ field }) => field === 'file') ?? [];
  if (file === undefined) refuseMissing('file');
  if (others.length > 0) refuse('file', "Duplicate parameter: 'file'.", 'duplicate_parameter');
  const seconds = measureAudio(file);
  if (seconds === undefined) {
    const message = 'The audio file could not be decoded or its format is not supported.';
    refuse('file', message, 'unsupported_format');
  }
  const format = checkOneOf(fields['response_format'], 'response_format', formats) ?? 'json';
  if (model.includes('gpt-4o') && format !== 'json' && format !== 'text') {
    const message = `response_format '${format}' is not compatible with model '${model}'. Use 'json' or 'text' instead.`;
    refuse('response_format', message, 'unsupported_value');
  }
  checkNumber(fields['temperature'], 'temperature', { least: 0, most: 1 });
  const language = checkText(fields['language'], 'language');
  if (language !== undefined && !/^[a-z]{2,3}(-\w+)?$/i.test(language)) {
    refuse('language', `Invalid language '${language.slice(0, 40)}'. Language parameter must be in ISO-639-1 format.`);
  }
  return {
    model,
    file,
    seconds,
    language,
    prompt: checkText(fields['prompt'], 'prompt'),
    format,
    // As in the real service, whisper ignores it.
    stream: checkBoolean(fields['stream'], 'stream') && !model.includes('whisper'),
    wantsWords: readGranularities(fields).includes('word'),
  };
}

function readGranularities(fields: Record<string, unknown>): unknown[] {
  const given = fields['timestamp_granularities[]'] ?? fields['timestamp_granularities'] ?? [];
  return Array.isArray(given) ? given : [given];
}
