// Turns of a conversation, as the checks of messages and of tools see them.
import type { WireObject } from '../../fields/refuse.ts';

export type Block = WireObject & { type: string };

/** Messages of one role that follow each other are one turn; `at` is the place of its first message. */
export type Turn = { role: 'user' | 'assistant'; blocks: Block[]; at: number };
