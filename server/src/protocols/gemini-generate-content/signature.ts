// Signatures as clients of this protocol see them. The vendor's libraries decode them as bytes, so one of another
// protocol, which carries its protocol's name, travels in base64.
import type { Signature } from '../../neutral/conversation.ts';
import { type SignatureOrSeal, readSignatureOrSeal, writeSignatureOrSeal } from '../../neutral/signature.ts';
import { NAME } from './wire.ts';

const MARKED = /^tg1s?\.[^.]+\./;

export function writeThoughtSignature(signature: Signature): string {
  return writeMarked({ signature }, signature.value);
}

/** Of reasoning that only its provider can read. */
export function writeSealed(sealed: Signature): string {
  return writeMarked({ sealed }, sealed.value);
}

/** What a signature of a part says about its reasoning, or its call. */
export function readThoughtSignature(text: string): SignatureOrSeal {
  const plain = Buffer.from(text, 'base64').toString('utf8');
  return MARKED.test(plain) ? readSignatureOrSeal(plain, NAME) : { signature: { protocol: NAME, value: text } };
}

function writeMarked(signature: SignatureOrSeal, bare: string): string {
  const text = writeSignatureOrSeal(signature, NAME) ?? bare;
  return text === bare ? bare : Buffer.from(text).toString('base64');
}
