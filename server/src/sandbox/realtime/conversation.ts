// The items of a realtime conversation: checked, kept in order, and counted as a prompt.
import { isObject, type WireObject } from '../fields/refuse.ts';
import { countTokens } from '../text/tokens.ts';
import { textOf } from './connection.ts';
import { missing, wrong } from './session-settings.ts';

export type Item = WireObject & { id: string };

export type PromptTokens = { text: number; audio: number; image: number };

const msPerTokenHeard = 100;
const tokensPerImage = 85;
const roles: Readonly<Record<string, readonly string[]>> = {
  user: ['input_text', 'input_audio', 'input_image'],
  system: ['input_text'],
  assistant: ['output_text', 'output_audio'],
};

export class Conversation {
  readonly items: Item[] = [];
  /** Milliseconds of audio by item, which shows no bytes. */
  readonly audioMs = new Map<string, number>();

  get lastId(): string | null {
    return this.items.at(-1)?.id ?? null;
  }

  find(id: unknown): Item {
    const item = this.items.find((one) => one.id === id);
    if (item === undefined) throw wrong('item_id', 'There is no such item.');
    return item;
  }

  remove(id: unknown): void {
    this.items.splice(this.items.indexOf(this.find(id)), 1);
  }

  /** What a response reads: these items, or the whole conversation. */
  countPrompt(instructions: string, items: readonly WireObject[] = this.items): PromptTokens {
    const tokens = { text: countTokens(instructions), audio: 0, image: 0 };
    for (const item of items) {
      tokens.audio += Math.ceil((this.audioMs.get(textOf(item, 'id') ?? '') ?? 0) / msPerTokenHeard);
      tokens.text += countTokens(`${textIn(item)}${textOf(item, 'output') ?? ''}${textOf(item, 'arguments') ?? ''}`);
      tokens.image += partsOf(item).filter(({ type }) => type === 'input_image').length * tokensPerImage;
    }
    return tokens;
  }
}

/** Throws a Refusal that names what is wrong. */
export function readItem(item: unknown, makeId: () => string): Item {
  if (!isObject(item)) throw missing('item');
  const id = typeof item['id'] === 'string' ? item['id'] : makeId();
  switch (item['type']) {
    case 'message':
      checkMessage(item);
      return { object: 'realtime.item', status: 'completed', ...item, id };
    case 'function_call_output':
      if (typeof item['call_id'] !== 'string') throw missing('item.call_id');
      if (typeof item['output'] !== 'string') throw missing('item.output');
      return { object: 'realtime.item', status: 'completed', ...item, id };
    case 'function_call':
      return { object: 'realtime.item', status: 'completed', ...item, id };
    default:
      throw item['type'] === undefined ? missing('item.type') : wrong('item.type', 'No such type here.');
  }
}

function checkMessage(item: WireObject): void {
  const allowed = roles[textOf(item, 'role') ?? ''];
  if (allowed === undefined) throw wrong('item.role', 'Expected user, assistant or system.');
  if (!Array.isArray(item['content'])) throw missing('item.content');
  for (const [index, part] of item['content'].entries())
    if (!isObject(part) || !allowed.includes(textOf(part, 'type') ?? ''))
      throw wrong(`item.content[${index}].type`, `Expected ${allowed.join(' or ')}.`);
}

export function partsOf(item: WireObject): WireObject[] {
  return Array.isArray(item['content']) ? item['content'].filter(isObject) : [];
}

export function textIn(item: WireObject): string {
  return partsOf(item)
    .map((part) => textOf(part, 'text') ?? textOf(part, 'transcript') ?? '')
    .join(' ');
}
