// Tool calls of a chat stream. The usual provider tells one call after the other, but some interleave them, leave out
// positions, repeat ids or send the name late.
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { asCount, asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { readCallSignature } from '../reasoning-details.ts';
import { ownCallSignature } from './own-signature.ts';

interface Call {
  id: string;
  /** Position in the stream of parts; known once the call has a name. */
  index: number | undefined;
  arguments: string;
  /** Arguments that came before the name. */
  waiting: string;
  isOpen: boolean;
}

export class CallReader {
  /** Calls that have a name. */
  count = 0;
  readonly #nextIndex: () => number;
  readonly #calls = new Map<number, Call>();
  #last = 0;

  constructor(nextIndex: () => number) {
    this.#nextIndex = nextIndex;
  }

  read(wire: JsonRecord): StreamPart[] {
    const parts: StreamPart[] = [];
    const call = this.#callOf(wire, parts);
    const called = asRecord(wire['function']) ?? {};
    const name = asText(called['name']) ?? '';
    if (call.index === undefined && name !== '') {
      call.index = this.#nextIndex();
      this.count++;
      parts.push({ type: 'block-start', index: call.index, block: { type: 'tool-call', id: call.id, name } });
    }
    const signature = readCallSignature(wire);
    if (signature !== undefined && call.index !== undefined && call.isOpen) {
      parts.push({ type: 'signature', index: call.index, signature: ownCallSignature(signature) });
    }
    call.waiting += asText(called['arguments']) ?? '';
    if (call.index === undefined || !call.isOpen || call.waiting === '') return parts;
    parts.push({ type: 'delta', index: call.index, text: call.waiting });
    call.arguments += call.waiting;
    call.waiting = '';
    return parts;
  }

  /** Something else is said: calls whose arguments are whole are over. */
  endComplete(): StreamPart[] {
    return this.#end(isWhole);
  }

  endAll(): StreamPart[] {
    return this.#end(() => true);
  }

  /** The call that a delta belongs to; another id in the same place is another call. */
  #callOf(wire: JsonRecord, parts: StreamPart[]): Call {
    const id = asText(wire['id']) ?? '';
    const position = asCount(wire['index']) ?? this.#last;
    const known = this.#calls.get(position);
    const isOther = known !== undefined && id !== '' && known.id !== '' && known.id !== id;
    if (known !== undefined && !isOther) {
      this.#last = position;
      return known;
    }
    parts.push(...this.endComplete());
    if (isOther) {
      // The one that was there is over, whatever has come of its arguments.
      parts.push(...this.#end((call) => call === known));
      this.#calls.delete(position);
    }
    const call: Call = { id, index: undefined, arguments: '', waiting: '', isOpen: true };
    this.#calls.set(position, call);
    this.#last = position;
    return call;
  }

  #end(isOver: (call: Call) => boolean): StreamPart[] {
    const parts: StreamPart[] = [];
    for (const call of this.#calls.values()) {
      if (!call.isOpen || call.index === undefined || !isOver(call)) continue;
      call.isOpen = false;
      parts.push({ type: 'block-end', index: call.index });
    }
    return parts;
  }
}

function isWhole({ arguments: text }: Call): boolean {
  return text.trimEnd().endsWith('}') && parseRecord(text) !== undefined;
}
