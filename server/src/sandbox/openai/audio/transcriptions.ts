// POST /v1/audio/transcriptions and /v1/audio/translations: words that depend on the uploaded recording.
import { sendStream, type StreamEvent } from '../../http/send-stream.ts';
import { sendBytes } from '../../http/send-whole.ts';
import type { Call } from '../../protocol.ts';
import { spoilUsage } from '../../text/spoil-usage.ts';
import { countTokens, cutIntoTokens } from '../../text/tokens.ts';
import { writeError } from '../error.ts';
import { checkModel } from '../models.ts';
import { transcribe } from './transcript.ts';
import { readTranscriptionRequest, type TranscriptionRequest } from './transcription-request.ts';
import { writeTranscript } from './write-transcript.ts';

const audioTokensPerSecond = 10;

export const answerTranscriptions = (call: Call): Promise<void> => answer(call, 'transcribe');
export const answerTranslations = (call: Call): Promise<void> => answer(call, 'translate');

async function answer(call: Call, task: 'transcribe' | 'translate'): Promise<void> {
  const { exchange, behaviour, models } = call;
  const request = readTranscriptionRequest(call);
  checkModel(request.model, models);
  const transcript = transcribe(task, request);
  const usage = spoilUsage(countUsage(request, transcript.text), behaviour);
  const errorBody = writeError({ status: 500 });
  if (request.stream && task === 'transcribe' && !behaviour.ignoreStream) {
    const events = writeEvents(transcript.text, usage);
    return sendStream(exchange, { events, writeError: () => ({ data: JSON.stringify(errorBody) }) }, behaviour);
  }
  const { content, contentType } = writeTranscript(transcript, request, { task, usage });
  await sendBytes(exchange, { bytes: Buffer.from(content), contentType, errorBody }, behaviour);
}

/** Tokens for the models that count them, otherwise the playing time, every begun second. */
function countUsage({ model, seconds, prompt }: TranscriptionRequest, text: string): Record<string, unknown> {
  if (!model.includes('gpt-4o')) return { type: 'duration', seconds: Math.ceil(seconds) };
  const details = {
    audio_tokens: Math.ceil(seconds * audioTokensPerSecond),
    text_tokens: prompt === undefined ? 0 : countTokens(prompt),
  };
  const input = details.audio_tokens + details.text_tokens;
  const output = countTokens(text);
  return {
    type: 'tokens',
    input_tokens: input,
    input_token_details: details,
    output_tokens: output,
    total_tokens: input + output,
  };
}

function* writeEvents(text: string, usage: object | undefined): Generator<StreamEvent> {
  for (const delta of cutIntoTokens(text)) {
    yield { kind: 'content', data: JSON.stringify({ type: 'transcript.text.delta', delta }) };
  }
  const done = { type: 'transcript.text.done', text, ...(usage === undefined ? {} : { usage }) };
  yield { kind: 'done', data: JSON.stringify(done) };
}
