// What the sandbox hears in a recording: words chosen by the file's fingerprint, more of them the longer it is.
import type { TranscriptionRequest } from './transcription-request.ts';

export type Sentence = { start: number; end: number; text: string };
export type Transcript = { text: string; sentences: Sentence[]; seconds: number };

const words = (
  'amber anchor autumn bridge candle canyon cedar circle cloud copper coral dawn desert echo ember falcon ' +
  'feather fern forest garden glacier harbor hazel island ivory jasmine juniper kite lantern lemon lilac maple ' +
  'marble meadow mirror mountain needle oak ocean olive orchard pebble pepper pine planet quartz raven ribbon ' +
  'river saffron sailor silver sparrow spruce stone summer thunder timber topaz valley velvet violet willow winter'
).split(' ');
const secondsPerWord = 0.4;
const wordsPerSentence = 8;
const wordLimit = 2000;

export function transcribe(task: 'transcribe' | 'translate', { file, seconds }: TranscriptionRequest): Transcript {
  const count = Math.max(3, Math.min(wordLimit, Math.round(seconds / secondsPerWord)));
  const fingerprint = Buffer.from(file.sha256, 'hex');
  const heard = Array.from({ length: count }, (_, index) => {
    const byte = fingerprint[index % fingerprint.length] ?? 0;
    return words[(byte + Math.floor(index / fingerprint.length)) % words.length] ?? '';
  });
  const lead = `${task === 'translate' ? 'In English' : 'I heard'} ${seconds.toFixed(2)} seconds:`;
  const sentences: Sentence[] = [];
  for (let first = 0; first < count; first += wordsPerSentence) {
    const end = Math.min(count, first + wordsPerSentence);
    const words = heard.slice(first, end).join(' ');
    const text = first === 0 ? `${lead} ${words}.` : `${words[0]?.toUpperCase()}${words.slice(1)}.`;
    sentences.push({ start: (first / count) * seconds, end: (end / count) * seconds, text });
  }
  return { text: sentences.map(({ text }) => text).join(' '), sentences, seconds };
}
