// Reads from the form of a transcription or translation what routing, the hold and the answer's form need; the length of
// the audio is read from the file itself (spec 2.9, contract 6).
import { audioSeconds } from '../../media/audio-length.ts';
import type { Form, FormPart } from '../../neutral/form.ts';
import {
  checkForm,
  formFlag,
  formText,
  formTextBytes,
  requireFormFile,
  requireFormText,
  sizeOf,
} from '../json/form-request.ts';
import type { RelayRequest } from '../protocol.ts';
import { formFields, formLists } from './wire.ts';

export type TranscriptionRequest = Omit<RelayRequest, 'write' | 'readStream'> & { audioMs: number };

/** A file whose length is not known is taken for one of 32 kbit/s. */
const BYTES_PER_MS = 4;
/** Ten tokens for each second of audio, at four bytes to a token. */
const BYTES_PER_SECOND = 40;

export async function readTranscriptionRequest(form: Form): Promise<TranscriptionRequest> {
  checkForm(form, { known: formFields, lists: formLists });
  const model = requireFormText(form, 'model');
  const file = requireFormFile(form, 'file');
  const stream = formFlag(form, 'stream');
  formText(form, 'response_format'); // refuses a file
  const measured = await measure(form, file);
  const audioMs = measured ?? Math.ceil(sizeOf(file) / BYTES_PER_MS);
  return {
    model,
    stream,
    maxOutputTokens: undefined,
    choices: 1,
    audioMs,
    audioIsGuessed: measured === undefined,
    inputBytes: formTextBytes(form) + Math.ceil((audioMs / 1000) * BYTES_PER_SECOND),
    mediaCount: 0,
  };
}

async function measure(form: Form, file: FormPart): Promise<number | undefined> {
  const { valueStart, contentType, filename } = file;
  const seconds = await audioSeconds(
    { length: sizeOf(file), read: (start, end) => form.read(valueStart + start, valueStart + end) },
    { ...(contentType !== undefined && { contentType }), ...(filename !== undefined && { filename }) },
  );
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}
