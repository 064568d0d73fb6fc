// Makes, hashes and masks access tokens. The text of a token exists only in the answer that creates it; the store keeps
// a SHA-256 of it, which is enough for a secret of more than 200 random bits.
import { hash } from 'node:crypto';
import { randomLetters } from '../shared/ids.ts';

const PREFIX = 'sk-';
const LETTERS = 48;
/** Of a shorter key, which only an operator can have chosen, both ends would be too much of it. */
const LEAST_TO_SHOW_ENDS = 24;

export interface NewAccessToken {
  /** Shown once. */
  key: string;
  keyHash: string;
  keyHint: string;
}

export function makeAccessToken(key: string = PREFIX + randomLetters(LETTERS)): NewAccessToken {
  return { key, keyHash: hashAccessToken(key), keyHint: maskAccessToken(key) };
}

export function hashAccessToken(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Enough to recognise a token, not enough to use it. */
export function maskAccessToken(key: string): string {
  if (key.length < LEAST_TO_SHOW_ENDS) return `${key.slice(0, 2)}...`;
  return `${key.slice(0, 5)}...${key.slice(-4)}`;
}
