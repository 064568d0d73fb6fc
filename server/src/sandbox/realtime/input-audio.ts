// The input audio buffer of a realtime session, and a simple ear: a piece with any loud sample is speech, and enough silence
// after speech ends a turn.
import type { AudioFormat } from './session-settings.ts';

const loudSample = 1_000;
const speechByte = new Set([0xff, 0x7f, 0xd5, 0x55]); // what silence is in G.711

export type Heard = 'started' | 'stopped' | undefined;

/** Milliseconds of so many bytes. */
export function audioMs(bytes: number, { type, rate = 24_000 }: AudioFormat): number {
  return type === 'audio/pcm' ? (bytes * 1000) / (2 * rate) : bytes / 8;
}

export class InputAudio {
  /** Since the last turn, and since the session began. */
  bufferedMs = 0;
  totalMs = 0;
  /** Of a turn that has begun. */
  isSpeaking = false;
  #silentMs = 0;

  append(piece: Buffer, format: AudioFormat): void {
    const ms = audioMs(piece.length, format);
    this.bufferedMs += ms;
    this.totalMs += ms;
  }

  /** Whether a turn begins or ends with this piece. */
  hear(piece: Buffer, format: AudioFormat, silenceMs: number): Heard {
    if (isLoud(piece, format)) {
      this.#silentMs = 0;
      const begins = !this.isSpeaking;
      this.isSpeaking = true;
      return begins ? 'started' : undefined;
    }
    if (!this.isSpeaking) return undefined;
    this.#silentMs += audioMs(piece.length, format);
    if (this.#silentMs < silenceMs) return undefined;
    this.isSpeaking = false;
    this.#silentMs = 0;
    return 'stopped';
  }

  /** Empties the buffer; how long it was. */
  take(): number {
    const ms = this.bufferedMs;
    this.bufferedMs = 0;
    this.isSpeaking = false;
    this.#silentMs = 0;
    return ms;
  }
}

function isLoud(piece: Buffer, { type }: AudioFormat): boolean {
  if (type !== 'audio/pcm') return piece.some((byte) => !speechByte.has(byte));
  for (let at = 0; at + 1 < piece.length; at += 2) if (Math.abs(piece.readInt16LE(at)) > loudSample) return true;
  return false;
}
