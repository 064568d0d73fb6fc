// The `messages` of a request: the shape of each, and what may follow what.
import type { WireObject } from '../../fields/refuse.ts';
import { type Check, oneOf, refuseAt, shape, textOrList } from '../checks.ts';
import { contentBlock } from './content-blocks.ts';
import { checkToolTurns } from './tool-turns.ts';
import type { Block, Turn } from './turn.ts';

type Message = { role: Turn['role']; content: string | Block[] };

const role: Check = (value, at) => {
  if (value === 'system') {
    const advice = 'The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
    refuseAt('messages', `Unexpected role "system". ${advice}`);
  }
  oneOf('user', 'assistant')(value, at);
};
const message = shape({ role, content: textOrList(contentBlock) });

/** Blocks that only one side may send. */
const owners: Readonly<Record<string, Turn['role']>> = {
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  tool_result: 'user',
  image: 'user',
  document: 'user',
  search_result: 'user',
};

export function checkMessages(given: unknown): Turn[] {
  if (!Array.isArray(given)) refuseAt('messages', 'Input should be a valid list');
  if (given.length === 0) refuseAt('messages', 'at least one message is required');
  for (const [index, one] of given.entries()) message(one, `messages.${index}`);
  const messages = given as Message[];
  if (messages[0]?.role !== 'user') refuseAt('messages', 'first message must use the "user" role');
  for (const [index, one] of messages.entries()) checkContent(one, index, index === messages.length - 1);
  const turns = joinTurns(messages);
  checkToolTurns(turns);
  return turns;
}

function checkContent({ role: speaker, content }: Message, index: number, isLast: boolean): void {
  if (content.length === 0 && !(isLast && speaker === 'assistant')) {
    refuseAt(
      `messages.${index}`,
      'all messages must have non-empty content except for the optional final assistant message',
    );
  }
  for (const [blockIndex, block] of readBlocks(content).entries()) {
    const owner = owners[block.type];
    if (owner !== undefined && owner !== speaker) {
      const where = `messages.${index}.content.${blockIndex}`;
      refuseAt(where, `\`${block.type}\` blocks can only be in \`${owner}\` messages`);
    }
    if (block.type === 'text') checkWords(String(block['text']), isLast && speaker === 'assistant');
  }
}

function checkWords(words: string, isPrefill: boolean): void {
  if (words === '') refuseAt('messages', 'text content blocks must be non-empty');
  if (words.trim() === '') refuseAt('messages', 'text content blocks must contain non-whitespace text');
  if (isPrefill && /\s$/.test(words)) {
    refuseAt('messages', 'final assistant content cannot end with trailing whitespace');
  }
}

function readBlocks(content: Message['content']): Block[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

function joinTurns(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const [at, { role: speaker, content }] of messages.entries()) {
    const last = turns.at(-1);
    if (last?.role === speaker) last.blocks.push(...readBlocks(content));
    else turns.push({ role: speaker, blocks: [...readBlocks(content)], at });
  }
  return turns;
}

/** The words of a block, those within the result of a tool included. */
export function readBlockText(block: WireObject): string {
  if (typeof block['text'] === 'string') return block['text'];
  const { content } = block;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as WireObject[]).map(readBlockText).filter(Boolean).join('\n');
}

/** A system prompt; undefined when there is none. */
export function readSystem(system: unknown): string | undefined {
  if (system === undefined) return undefined;
  if (typeof system === 'string') return system === '' ? undefined : system;
  return (system as WireObject[]).map(readBlockText).join('\n');
}

export function checkSystem(system: unknown): void {
  if (!Array.isArray(system)) return;
  for (const block of system as WireObject[]) {
    if (block['text'] === '') refuseAt('system', 'text content blocks must be non-empty');
  }
}
