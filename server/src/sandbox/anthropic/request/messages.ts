// The `messages` of a request: the shape of each, and what may follow what.
import { isObject, type WireObject } from '../../fields/refuse.ts';
import { type Check, oneOf, refuseAt, shape, textOrList } from '../checks.ts';
import { contentBlock, systemBlocks } from './content-blocks.ts';
import { checkToolTurns } from './tool-turns.ts';
import type { Block, Turn } from './turn.ts';

type Message = { role: Turn['role']; content: string | Block[] };
type SystemMessage = { role: 'system'; content: string | Block[] };

const role: Check = (value, at) => {
  if (value === 'system') {
    const advice = 'The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
    refuseAt('messages', `Unexpected role "system". ${advice}`);
  }
  oneOf('user', 'assistant')(value, at);
};
const message = shape({ role, content: textOrList(contentBlock) });
const systemMessage = shape({ role: oneOf('system'), content: systemBlocks });
/** The version from which on instructions may stand between messages, though not before the first. */
const SYSTEM_SINCE = '2026-10-21';

export interface Conversation {
  turns: Turn[];
  /** What system messages say, in their order. */
  instructions: string[];
}

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

export function checkMessages(given: unknown, version = ''): Conversation {
  if (!Array.isArray(given)) refuseAt('messages', 'Input should be a valid list');
  if (given.length === 0) refuseAt('messages', 'at least one message is required');
  const isSystem = (one: unknown): one is SystemMessage =>
    version >= SYSTEM_SINCE && isObject(one) && one['role'] === 'system';
  for (const [index, one] of given.entries()) (isSystem(one) ? systemMessage : message)(one, `messages.${index}`);
  const messages = given.filter((one) => !isSystem(one)) as Message[];
  if (isSystem(given[0])) refuseAt('messages', 'first message must use the "user" role');
  if (messages[0]?.role !== 'user') refuseAt('messages', 'first message must use the "user" role');
  for (const [index, one] of messages.entries()) checkContent(one, index, index === messages.length - 1);
  const turns = joinTurns(messages);
  checkToolTurns(turns);
  return { turns, instructions: given.filter(isSystem).map(({ content }) => readSystem(content) ?? '') };
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
