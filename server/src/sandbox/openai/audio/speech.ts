// POST /v1/audio/speech: a file that plays, as long as the text takes to say, or the same as a stream of events.
// https://platform.openai.com/docs/api-reference/audio/createSpeech
import { removeDirectives } from '../../directives.ts';
import { sendStream, type StreamEvent } from '../../http/send-stream.ts';
import { sendBytes } from '../../http/send-whole.ts';
import { writeSilentMp3 } from '../../media/mp3.ts';
import { measureSpeech, sampleRate, speak } from '../../media/voice.ts';
import { writeWav } from '../../media/wav.ts';
import type { Call } from '../../protocol.ts';
import { spoilUsage } from '../../text/spoil-usage.ts';
import { countTokens } from '../../text/tokens.ts';
import { writeError } from '../error.ts';
import { checkModel } from '../models.ts';
import { readSpeechRequest, type SpeechRequest } from './speech-request.ts';

const contentTypes = { mp3: 'audio/mpeg', wav: 'audio/wav', pcm: 'audio/pcm' };
const tokensPerSecond = 20;
const bytesPerEvent = 16 * 1024;

export async function answerSpeech({ exchange, behaviour, body, models }: Call): Promise<void> {
  const request = readSpeechRequest(body);
  checkModel(request.model, models);
  const text = removeDirectives(request.input);
  const bytes = makeAudio(request, text);
  const errorBody = writeError({ status: 500 });
  if (!request.stream || behaviour.ignoreStream) {
    return sendBytes(exchange, { bytes, contentType: contentTypes[request.format], errorBody }, behaviour);
  }
  const input = countTokens(request.input);
  const output = Math.ceil(measureSpeech(text, request.speed) * tokensPerSecond);
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
  const events = writeEvents(bytes, spoilUsage(usage, behaviour));
  await sendStream(exchange, { events, writeError: () => ({ data: JSON.stringify(errorBody) }) }, behaviour);
}

function makeAudio({ format, speed }: SpeechRequest, text: string): Buffer {
  if (format === 'mp3') return writeSilentMp3(measureSpeech(text, speed));
  const samples = speak(text, speed);
  return format === 'wav' ? writeWav(samples, sampleRate) : samples;
}

function* writeEvents(bytes: Buffer, usage: object | undefined): Generator<StreamEvent> {
  for (let start = 0; start < bytes.length; start += bytesPerEvent) {
    const audio = bytes.toString('base64', start, start + bytesPerEvent);
    yield { kind: 'content', data: JSON.stringify({ type: 'speech.audio.delta', audio }) };
  }
  const done = { type: 'speech.audio.done', ...(usage === undefined ? {} : { usage }) };
  yield { kind: 'done', data: JSON.stringify(done) };
}
