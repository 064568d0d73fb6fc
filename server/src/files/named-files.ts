// Where the body of a text request names files by `file_id`: in parts of chat, responses and messages. What tools were called
// with may hold anything and is passed by.
import type { JsonObject } from '../shared/json-fields.ts';
import { type JsonSpot, type JsonVisitor, readString, walkJson } from '../shared/json-walk.ts';
import { isFileId } from '../store/queries/files.ts';

export interface NamedFile {
  id: string;
  /** Of the part that names it: the smallest object that is to be rewritten. */
  start: number;
  end: number;
  /** Where it stands, in the caller's names. */
  field: string;
}

interface Container {
  start: number;
  /** Of the field that holds it; '' in an array. */
  name: string;
}

const OPEN_OBJECT = 0x7b;
const FREE: ReadonlySet<string> = new Set([
  'arguments',
  'parameters',
  'schema',
  'input_schema',
  'properties',
  'args',
  'metadata',
]);
const LONGEST_ID = 64;

export function namedFiles(json: JsonObject): NamedFile[] {
  const start = json.bytes.indexOf(OPEN_OBJECT);
  const finder = new FileFinder(json, start);
  walkJson(json, start, finder);
  return finder.found;
}

class FileFinder implements JsonVisitor {
  readonly found: NamedFile[] = [];
  readonly #json: JsonObject;
  readonly #containers: Container[];
  readonly #path: (string | number)[] = [];

  constructor(json: JsonObject, start: number) {
    this.#json = json;
    this.#containers = [{ start, name: '' }];
  }

  field(name: string, value: JsonSpot): boolean {
    if (name === 'file_id') this.#note(value);
    this.#enter(name, { start: value.start, name });
    // At the top of a request for a response it is a list of items; anywhere else it is what a tool was called with.
    return !FREE.has(name) && (name !== 'input' || this.#path.length === 1);
  }

  element(index: number, { start }: JsonSpot): boolean {
    this.#enter(index, { start, name: '' });
    return true;
  }

  leave(): void {
    this.#path.pop();
    this.#containers.pop();
  }

  #enter(step: string | number, container: Container): void {
    this.#path.push(step);
    this.#containers.push(container);
  }

  #note(value: JsonSpot): void {
    const id = readString(value, LONGEST_ID);
    const parent = this.#containers.at(-1);
    const part = this.#containers.at(-2);
    if (typeof id !== 'string' || !isFileId(id) || parent === undefined || part === undefined) return;
    // Of a part {type, file: {file_id}} and the like the whole part is rewritten, for its type may change.
    const { start } = parent.name === '' ? parent : part;
    const end = walkJson(this.#json, start, PASSING);
    this.found.push({ id, start, end, field: fieldOf([...this.#path, 'file_id']) });
  }
}

const PASSING: JsonVisitor = { field: () => false, element: () => false, leave: () => {} };

function fieldOf(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  );
}
