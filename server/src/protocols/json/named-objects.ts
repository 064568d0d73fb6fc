// What a request names that an upstream keeps under our key: files, stores, containers, conversations, prompts, cached
// contents, items of earlier answers. Found wherever vendors take such ids, in any of their spellings; free text and
// arguments of tools may hold anything and are passed by.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { foldName } from '../../shared/fold-name.ts';
import type { JsonObject } from '../../shared/json-fields.ts';
import { type JsonSpot, type JsonVisitor, readString, walkJson } from '../../shared/json-walk.ts';
import { NAMES_ID, NAMES_OBJECT } from '../../shared/noted-names.ts';
import { itemReferences, LONGEST_ID } from './item-references.ts';

export interface NamedObject {
  id: string;
  /** Where it stands, in the caller's names. */
  field: string;
  /** Matters only to an upstream of the caller's own protocol: for any other the request says it all. */
  soft: boolean;
}

const NONE: readonly NamedObject[] = [];
/** No request that a vendor takes comes near. */
const MOST = 2_000;

/** Fields of the top that name something themselves, and those that do so where they are objects. */
const TOP = ['container', 'conversation', 'cachedContent', 'cached_content'] as const;
const TOP_OBJECTS = ['prompt', 'voice'] as const;
/** Names without underscores and in lower case, since upstreams differ in how strictly they read them. */
const IDS: ReadonlySet<string> = new Set([
  'fileid',
  'fileids',
  'container',
  'containerid',
  'vectorstoreid',
  'vectorstoreids',
  'cachedcontent',
  'filesearchstorenames',
  'ragcorpus',
  'datastore',
]);
/** Objects whose `id` is the name of something kept; the first two at the top alone. */
const HOLDERS_AT_TOP: ReadonlySet<string> = new Set(['conversation', 'prompt']);
const HOLDERS: ReadonlySet<string> = new Set(['container', 'voice', 'audio']);
const NAMING: ReadonlySet<string> = new Set([...IDS, 'conversation', 'id', 'skillid', 'voice', 'fileuri']);
/** What these hold is the caller's own, whatever it is called. */
const FREE: ReadonlySet<string> = new Set([
  'arguments',
  'parameters',
  'parametersjsonschema',
  'inputschema',
  'schema',
  'responseschema',
  'responsejsonschema',
  'properties',
  'args',
  'input',
  'response',
  'metadata',
]);
/** Addresses of files may be longer than ids; what one of these holds itself is no name of anything. */
const LONGEST_ADDRESS = 16 * 1024;
const DATA_ADDRESS = Buffer.from('"data:');
/** Of files that only our key opens: the vendor's own, or in a bucket. Others are open to everybody who has the address. */
const KEPT_PATH = /(?:^|\/)v\d\w*\/files\/|^\/?files\//i;
const VENDOR = /(?:^|\.)googleapis\.com\.?$/i;
/** Ready-made skills have plain names. */
const OWN_SKILL = /^skill_/i;
/** Ready-made voices too; those that somebody made are ids. */
const OWN_VOICE = /^(?:voice_|speech:)/i;

function isKeptFile(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return text.trim() !== '';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return url.protocol !== 'data:';
  return VENDOR.test(url.hostname) || KEPT_PATH.test(url.pathname);
}

/** A voice that was made under the upstream's key, also where it is named as a text. */
export function isMadeVoice(name: string): boolean {
  return OWN_VOICE.test(name);
}

/** `items`: its input is a list of items. `uris`: files are named by `uri` too, so that every body is looked through. */
export function namedObjects(json: JsonObject, { items = false, uris = false } = {}): readonly NamedObject[] {
  const watched = items ? NAMES_ID | NAMES_OBJECT : NAMES_OBJECT;
  if (!uris && (json.names & watched) === 0 && !namesAtTop(json)) return NONE;
  const finder = new ObjectFinder(items, uris);
  walkJson(json, json.bytes.indexOf(OPEN_OBJECT), finder);
  return finder.found;
}

const OPEN_OBJECT = 0x7b;

function namesAtTop({ fields }: JsonObject): boolean {
  return TOP.some((name) => fields.has(name)) || TOP_OBJECTS.some((name) => fields.get(name)?.kind === 'object');
}

class ObjectFinder implements JsonVisitor {
  readonly found: NamedObject[] = [];
  readonly #items: boolean;
  readonly #uris: boolean;
  readonly #path: (string | number)[] = [];
  /** The same in the spelling that is compared; '' for places in an array. */
  readonly #names: string[] = [];

  constructor(items: boolean, uris: boolean) {
    this.#items = items;
    this.#uris = uris;
  }

  field(name: string, value: JsonSpot): boolean {
    const folded = foldName(name).replaceAll('_', '');
    const plain = this.#uris && folded === 'uri' ? 'fileuri' : folded;
    const parent = this.#names.at(-1) ?? '';
    this.#path.push(name);
    this.#names.push(plain);
    const most = plain === 'fileuri' ? LONGEST_ADDRESS : LONGEST_ID;
    const text = NAMING.has(plain) ? readString(value, most) : undefined;
    if (text !== undefined) {
      if (text === null ? this.#mayName(plain, parent, value) : this.#isObject(plain, parent, text)) this.#add(text);
      return false;
    }
    // The input of a request for a response is a list of items; anywhere else it is what a tool was called with.
    return !FREE.has(plain) || (plain === 'input' && (this.#items || this.#uris) && this.#names.length === 1);
  }

  element(index: number, value: JsonSpot): boolean {
    const parent = this.#names.at(-1) ?? '';
    this.#path.push(index);
    this.#names.push('');
    if (IDS.has(parent)) {
      const text = readString(value, LONGEST_ID);
      if (text !== undefined && text !== '') this.#add(text);
    }
    if (this.#items && this.#names.length === 2 && parent === 'input') {
      for (const { id, soft } of itemReferences(value)) this.#add(id, soft);
    }
    return true;
  }

  leave(): void {
    this.#path.pop();
    this.#names.pop();
  }

  #isObject(name: string, parent: string, text: string): boolean {
    if (IDS.has(name)) return text !== '';
    const depth = this.#names.length;
    if (name === 'conversation') return depth === 1 && text !== '';
    if (name === 'id') return HOLDERS.has(parent) || (depth === 2 && HOLDERS_AT_TOP.has(parent));
    if (name === 'skillid') return OWN_SKILL.test(text);
    if (name === 'voice') return isMadeVoice(text);
    return name === 'fileuri' && isKeptFile(text);
  }

  /** The same for a text that is too long to be read. */
  #mayName(name: string, parent: string, { json: { bytes }, start }: JsonSpot): boolean {
    if (name === 'fileuri')
      return bytes.compare(DATA_ADDRESS, 0, DATA_ADDRESS.length, start, start + DATA_ADDRESS.length) !== 0;
    return this.#isObject(name, parent, name === 'voice' ? 'voice_' : 'skill_');
  }

  #add(id: string | null, soft = false): void {
    if (this.found.length === MOST) throw invalidRequest(`The request names more than ${MOST} stored objects.`);
    const field = this.#path.reduce<string>(
      (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
      '',
    );
    if (id === null) throw invalidRequest(`'${field}' is longer than any id of a stored object.`, field);
    this.found.push({ id, field, soft });
  }
}
