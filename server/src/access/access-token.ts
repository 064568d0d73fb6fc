// Makes, hashes and masks access tokens. The text of a token exists only in the answer that creates it; the store keeps
// a SHA-256 of it, which is enough for a secret of more than 200 random bits.
import { hash } from 'node:crypto';
import { randomLetters } from '../shared/ids.ts';

const PREFIX = 'sk-';
const LETTERS = 48;

export interface NewAccessToken {
  /** Shown once. */
  key: string;
  keyHash: string;
  keyHint: string;
}

export function makeAccessToken(): NewAccessToken {
  const key = PREFIX + randomLetters(LETTERS);
  return { key, keyHash: hashAccessToken(key), keyHint: maskAccessToken(key) };
}

export function hashAccessToken(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Enough to recognise a token, not enough to use it. */
export function maskAccessToken(key: string): string {
  return `${key.slice(0, 5)}...${key.slice(-4)}`;
}
