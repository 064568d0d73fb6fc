// Signatures travel through clients of other protocols and come back. They carry the name of the protocol that made them
// on the way, so that no upstream is ever shown the proof of another.
import type { Signature } from './conversation.ts';

const MARK = 'tg1.';
/** Of reasoning that is sealed as a whole, where the client's protocol keeps that in the same place as a signature. */
const SEALED_MARK = 'tg1s.';

/** As a client of `own` gets it: bare when it is of its own protocol, marked otherwise. */
export function writeSignature({ protocol, value }: Signature, own: string): string {
  return protocol === own ? value : `${MARK}${protocol}.${value}`;
}

/** As a client of `own` sends it back. */
export function readSignature(text: string, own: string): Signature {
  if (!text.startsWith(MARK)) return { protocol: own, value: text };
  const end = text.indexOf('.', MARK.length);
  if (end === -1) return { protocol: own, value: text };
  return { protocol: text.slice(MARK.length, end), value: text.slice(end + 1) };
}

/** For clients whose protocol has one place for both kinds of proof. */
export function writeSignatureOrSeal({ signature, sealed }: SignatureOrSeal, own: string): string | undefined {
  if (sealed !== undefined) return `${SEALED_MARK}${sealed.protocol}.${sealed.value}`;
  return signature === undefined ? undefined : writeSignature(signature, own);
}

/** The kind of proof that `writeSignatureOrSeal` was given. */
export function readSignatureOrSeal(text: string, own: string): SignatureOrSeal {
  if (!text.startsWith(SEALED_MARK)) return { signature: readSignature(text, own) };
  const sealed = readSignature(`${MARK}${text.slice(SEALED_MARK.length)}`, own);
  return text.includes('.', SEALED_MARK.length) ? { sealed } : { signature: { protocol: own, value: text } };
}

export interface SignatureOrSeal {
  signature?: Signature;
  sealed?: Signature;
}
