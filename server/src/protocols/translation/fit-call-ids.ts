// Call ids of a request for an upstream of the client's own protocol, as that upstream takes them (contract-2 7). Almost
// every body has none that does not fit, which its scan has noted; of the others the bytes of those ids alone are changed.
import { type JsonObject, scanJsonObject } from '../../shared/json-fields.ts';
import { type JsonSpot, type JsonVisitor, readString, skipText, walkJson } from '../../shared/json-walk.ts';
import { type Alphabet, Fitting } from './fit-names.ts';

export interface CallIdFields {
  /** The field that holds the conversation. */
  list: string;
  /** Where a turn holds ids of calls: its fields, and those of what is in its lists; lists are followed by `[]`. */
  paths: ReadonlySet<string>;
  alphabet: Alphabet;
  /** What the scan notes of ids that do not fit (shared/noted-names.ts). */
  watched: number;
}

type Changes = Readonly<Record<string, string>>;

/** Ids of some gateways carry a signature that they read again from there. */
const CARRIER = '__thought__';
/** Longer ids, signed ones apart, are no ids. */
const LONGEST = 64 * 1024;

/** `changes`, with the ids of calls and of their results in the list; the very same where all ids fit. */
export function fitCallIds(json: JsonObject, fields: CallIdFields, changes: Changes): Changes {
  const { list, alphabet, watched } = fields;
  if ((json.names & watched) === 0) return changes;
  const changed = changes[list];
  const source = changed === undefined ? json : scanJsonObject(Buffer.from(`{${JSON.stringify(list)}:${changed}}`));
  const field = source.fields.get(list);
  if (field?.kind !== 'array') return changes;
  const finder = new IdFinder(fields.paths);
  walkJson(source, field.valueStart, finder);
  const fitting = new Fitting(
    alphabet,
    finder.found.map(({ id }) => id),
  );
  if (fitting.isIdle) return changes;
  let text = '';
  let copied = field.valueStart;
  for (const { id, start, end } of finder.found) {
    text += source.bytes.toString('utf8', copied, start) + JSON.stringify(fitting.write(id));
    copied = end;
  }
  return { ...changes, [list]: text + source.bytes.toString('utf8', copied, field.valueEnd) };
}

interface FoundId {
  id: string;
  start: number;
  end: number;
}

class IdFinder implements JsonVisitor {
  readonly found: FoundId[] = [];
  readonly #paths: ReadonlySet<string>;
  readonly #folders: ReadonlySet<string>;
  /** Of the value that is looked at, within its turn. */
  readonly #path: string[] = [];

  constructor(paths: ReadonlySet<string>) {
    this.#paths = paths;
    this.#folders = new Set([...paths].map((path) => path.slice(0, path.lastIndexOf('[]') + 2)));
  }

  field(name: string, spot: JsonSpot): boolean {
    this.#path.push(this.#path.length === 0 ? name : `${this.#path.at(-1)}.${name}`);
    const path = this.#path.at(-1) ?? '';
    if (!this.#paths.has(path)) return this.#folders.has(`${path}[]`);
    const id = readString(spot, LONGEST);
    if (typeof id === 'string' && !id.includes(CARRIER))
      this.found.push({ id, start: spot.start, end: skipText(spot.json, spot.start) });
    return false;
  }

  element(): boolean {
    this.#path.push(`${this.#path.at(-1) ?? ''}[]`);
    return true;
  }

  leave(): void {
    this.#path.pop();
  }
}
