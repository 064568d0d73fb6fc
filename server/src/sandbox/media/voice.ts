// Sounds that pass for speech from afar: one syllable for every few characters, its pitch and length by the text.
// 16 bit, mono, 24 kHz, as the real service's raw audio.

export const sampleRate = 24_000;

const charactersPerSecond = 15;
const charactersPerSyllable = 3;
const tableSize = 1024;
const amplitude = 9000;
const sine = Float32Array.from({ length: tableSize }, (_, index) => Math.sin((2 * Math.PI * index) / tableSize));

/** Of code points, so that a rare character is not said twice. */
function countCharacters(text: string): number {
  return Array.from(text).length;
}

export function measureSpeech(text: string, speed: number): number {
  return countCharacters(text) / charactersPerSecond / speed;
}

export function speak(text: string, speed: number): Buffer {
  const characters = Array.from(text);
  const samples = new Int16Array(Math.max(1, Math.round(measureSpeech(text, speed) * sampleRate)));
  const perCharacter = samples.length / Math.max(1, characters.length);
  for (let first = 0; first < characters.length; first += charactersPerSyllable) {
    const syllable = characters.slice(first, first + charactersPerSyllable).join('');
    if (syllable.trim() === '') continue;
    const start = Math.round(first * perCharacter);
    const end = Math.min(samples.length, Math.round((first + charactersPerSyllable) * perCharacter));
    sing(samples.subarray(start, end), choosePitch(syllable));
  }
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

function choosePitch(syllable: string): number {
  const sum = Array.from(syllable).reduce((total, sign) => total + (sign.codePointAt(0) ?? 0), 0);
  return 110 + (sum % 24) * 5;
}

/** A tone with two overtones that swells and fades. */
function sing(samples: Int16Array, pitch: number): void {
  const advance = (pitch * tableSize) / sampleRate;
  let phase = 0;
  for (let at = 0; at < samples.length; at += 1) {
    const swell = sine[Math.floor((at / samples.length) * (tableSize / 2))] ?? 0;
    const tone = read(phase) + read(phase * 2) / 2 + read(phase * 3) / 4;
    samples[at] = Math.round((amplitude * swell * tone) / 1.75);
    phase = (phase + advance) % tableSize;
  }
}

function read(phase: number): number {
  return sine[Math.floor(phase) % tableSize] ?? 0;
}
