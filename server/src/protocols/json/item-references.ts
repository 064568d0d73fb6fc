// An item of a request for a response that stands for one that the upstream keeps: by its type, or because it says nothing
// but its id. What some items leave out the upstream looks up by their id; those are soft, since another provider does not.
import { foldName } from '../../shared/fold-name.ts';
import { type JsonSpot, type JsonVisitor, readString, walkJson } from '../../shared/json-walk.ts';

export interface ItemReference {
  /** null where it is longer than any. */
  id: string | null;
  soft: boolean;
}

/** In bytes; no vendor makes longer ones. */
export const LONGEST_ID = 1_000;
const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
/** How `null` begins. */
const NULL = 0x6e;
const NONE: readonly ItemReference[] = [];
/** Type -> the field without which the upstream looks for the rest. */
const LOOKED_UP: Readonly<Record<string, string>> = {
  reasoning: 'encrypted_content',
  compaction: 'encrypted_content',
  image_generation_call: 'result',
};

/** More than one where the item gives its id twice: readers could disagree on which counts. */
export function itemReferences(value: JsonSpot): readonly ItemReference[] {
  if (value.json.bytes[value.start] !== OPEN_OBJECT) return NONE;
  const item = new ItemFields();
  walkJson(value.json, value.start, item);
  if (item.ids.length === 0) return NONE;
  const { types, names } = item;
  const isBare = types.length === 0 && !item.isFilled('role') && !item.isFilled('content');
  if (isBare || types.includes('item_reference')) return item.ids.map((id) => ({ id, soft: false }));
  const isLookedUp = types.some((type) => {
    const needed = type === null ? undefined : LOOKED_UP[type];
    return needed !== undefined && names.get(needed) !== true;
  });
  return isLookedUp ? item.ids.map((id) => ({ id, soft: true })) : NONE;
}

class ItemFields implements JsonVisitor {
  readonly ids: (string | null)[] = [];
  readonly types: (string | null)[] = [];
  /** Whether it is something else than null, each time it is given: readers take the first or the last. */
  readonly #filled = new Map<string, boolean>();
  /** With whether it holds a text, or anything else but null, each time it is given. */
  readonly names = new Map<string, boolean>();

  field(name: string, value: JsonSpot): boolean {
    const plain = foldName(name);
    const { start } = value;
    const { bytes } = value.json;
    const isText = bytes[start] === QUOTE && bytes[start + 1] !== QUOTE;
    this.#filled.set(plain, bytes[start] !== NULL && this.#filled.get(plain) !== false);
    this.names.set(plain, isText && this.names.get(plain) !== false);
    if (plain === 'id' || plain === 'type') {
      const text = readString(value, LONGEST_ID);
      if (text !== undefined && text !== '') (plain === 'id' ? this.ids : this.types).push(text);
    }
    return false;
  }

  isFilled(name: string): boolean {
    return this.#filled.get(name) === true;
  }

  element(): boolean {
    return false;
  }

  leave(): void {}
}
