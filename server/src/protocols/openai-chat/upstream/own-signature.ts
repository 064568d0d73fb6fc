// Proofs that upstreams of this protocol gave. On the way through clients that keep none at their calls, that of a call
// comes back as reasoning without words before it, so it is distinguished from signatures of reasoning.
import type { Part, Signature, ToolCallPart } from '../../../neutral/conversation.ts';
import { CHAT } from '../wire.ts';

const OF_CALL = 'call:';

export function ownSignature(value: string): Signature {
  return { protocol: CHAT, value };
}

export function ownCallSignature(value: string): Signature {
  return ownSignature(OF_CALL + value);
}

/** Reasoning that is nothing but the proof of the call after it. */
export function isCallSignature(part: Part | undefined): boolean {
  return part?.type === 'reasoning' && part.signature?.protocol === CHAT && part.signature.value.startsWith(OF_CALL);
}

/** The proof of a call: its own, or the one before it among the parts of its turn. */
export function callSignature({ signature }: ToolCallPart, before: Part | undefined): Signature | undefined {
  const carried = before?.type === 'reasoning' && isCallSignature(before) ? before.signature : undefined;
  const own = signature?.protocol === CHAT ? signature : carried;
  if (own === undefined) return undefined;
  return ownSignature(bareCallSignature(own.value));
}

/** As the upstream gave it. */
export function bareCallSignature(value: string): string {
  return value.startsWith(OF_CALL) ? value.slice(OF_CALL.length) : value;
}
