// A transcript in each of the formats of the protocol.
import { cutIntoTokens } from '../../text/tokens.ts';
import type { Sentence, Transcript } from './transcript.ts';
import type { TranscriptionRequest } from './transcription-request.ts';

export type WrittenTranscript = { contentType: string; content: string };

type Task = { task: 'transcribe' | 'translate'; usage: object | undefined };

const json = 'application/json';
const plain = 'text/plain; charset=utf-8';

export function writeTranscript(transcript: Transcript, request: TranscriptionRequest, task: Task): WrittenTranscript {
  const { text, sentences } = transcript;
  const usage = task.usage === undefined ? {} : { usage: task.usage };
  switch (request.format) {
    case 'json':
      return { contentType: json, content: JSON.stringify({ text, ...usage }) };
    case 'verbose_json':
      return { contentType: json, content: JSON.stringify({ ...writeVerbose(transcript, request, task), ...usage }) };
    case 'text':
      return { contentType: plain, content: `${text}\n` };
    case 'srt':
      return { contentType: plain, content: sentences.map((one, index) => writeCue(one, index + 1, ',')).join('\n') };
    case 'vtt': {
      const cues = sentences.map((one) => writeCue(one, undefined, '.'));
      return { contentType: plain, content: `WEBVTT\n\n${cues.join('\n')}` };
    }
  }
}

function writeVerbose(transcript: Transcript, request: TranscriptionRequest, { task }: Task): object {
  const { text, sentences, seconds } = transcript;
  const segments = sentences.map((sentence, id) => ({
    id,
    seek: 0,
    start: round(sentence.start),
    end: round(sentence.end),
    text: ` ${sentence.text}`,
    tokens: cutIntoTokens(sentence.text).map((_, index) => 50_364 + index),
    temperature: 0,
    avg_logprob: -0.25,
    compression_ratio: 1.2,
    no_speech_prob: 0.01,
  }));
  const language = task === 'translate' ? 'english' : (request.language ?? 'english');
  const words = request.wantsWords ? { words: sentences.flatMap(writeWords) } : {};
  return { task, language, duration: round(seconds), text, segments, ...words };
}

function writeWords({ text, start, end }: Sentence): object[] {
  const words = text.split(' ');
  const each = (end - start) / words.length;
  return words.map((word, index) => {
    return { word, start: round(start + index * each), end: round(start + (index + 1) * each) };
  });
}

function writeCue({ start, end, text }: Sentence, number: number | undefined, mark: string): string {
  const times = `${writeTime(start, mark)} --> ${writeTime(end, mark)}`;
  return `${number === undefined ? '' : `${number}\n`}${times}\n${text}\n`;
}

function writeTime(seconds: number, mark: string): string {
  const clock = new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
  return clock.replace('.', mark);
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
