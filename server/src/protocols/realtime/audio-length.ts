// How long audio of a realtime session is, and how many tokens that comes to: by the vendor's own rule one token is 100 ms of
// what a user says and 50 ms of what the model says.
import { asNumber, asRecord, asText } from '../json/json-value.ts';

export interface AudioFormat {
  bytesPerMs: number;
}

/** 16 bit, mono, 24 kHz: what a session has until it says otherwise. */
export const PCM: AudioFormat = { bytesPerMs: 48 };

/** Samples in a second; no other rate is believed. */
const RATES = { least: 8_000, usual: 24_000, most: 48_000 };
const MS_PER_TOKEN_HEARD = 100;
const MS_PER_TOKEN_SAID = 50;

export function readFormat(format: unknown): AudioFormat | undefined {
  const fields = asRecord(format);
  const type = asText(fields?.['type']);
  if (type === undefined) return undefined;
  if (type !== 'audio/pcm') return { bytesPerMs: 8 }; // G.711
  const rate = asNumber(fields?.['rate']) ?? RATES.usual;
  const isKnown = rate >= RATES.least && rate <= RATES.most;
  return { bytesPerMs: ((isKnown ? rate : RATES.usual) * 2) / 1000 };
}

export function msOfBase64(letters: number, { bytesPerMs }: AudioFormat): number {
  return (letters * 3) / 4 / bytesPerMs;
}

export function tokensHeard(ms: number): number {
  return Math.ceil(ms / MS_PER_TOKEN_HEARD);
}

export function tokensSaid(ms: number): number {
  return Math.ceil(ms / MS_PER_TOKEN_SAID);
}
