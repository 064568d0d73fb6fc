// Signatures as clients of this protocol see them. The vendor's libraries decode them as bytes, so one of another
// protocol, which carries its protocol's name, travels in base64.
import type { ReasoningPart, Signature } from '../../neutral/conversation.ts';
import { readSignature, writeSignature } from '../../neutral/signature.ts';
import { NAME } from './wire.ts';

/** Before the name, for reasoning that only its provider can read. */
const SEALED = 'sealed.';
const FOREIGN = /^(?:sealed\.)?tg1\./;

export function writeThoughtSignature(signature: Signature, prefix = ''): string {
  const text = writeSignature(signature, NAME);
  return text === signature.value && prefix === '' ? text : Buffer.from(prefix + text).toString('base64');
}

export function writeSealed(sealed: Signature): string {
  return writeThoughtSignature(sealed, SEALED);
}

/** What a signature of a part says about its reasoning, or its call. */
export function readThoughtSignature(text: string): Pick<ReasoningPart, 'signature' | 'sealed'> {
  const plain = Buffer.from(text, 'base64').toString('utf8');
  if (!FOREIGN.test(plain)) return { signature: { protocol: NAME, value: text } };
  if (plain.startsWith(SEALED)) return { sealed: readSignature(plain.slice(SEALED.length), NAME) };
  return { signature: readSignature(plain, NAME) };
}
