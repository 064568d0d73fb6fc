// Tools of a request that run at the provider: which they are, and the request without them. Looked for only where they
// have a price or are not to be passed on.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { toolName } from '../../neutral/server-tool.ts';
import { foldName } from '../../shared/fold-name.ts';
import { arrayElements, type JsonField, type JsonObject, scanJsonObject } from '../../shared/json-fields.ts';
import { type JsonChanges, rewriteJsonObject } from '../../shared/json-rewrite.ts';
import { presentField, readValue } from './json-request.ts';
import { asCount, asList, asRecord, asText, type JsonRecord, parseRecord } from './json-value.ts';
import type { ToolLimits, ToolUses } from '../../neutral/usage.ts';
import type { ServerTool, ServerTools } from '../protocol.ts';

const OPEN_OBJECT = 0x7b;
const LOWER_T = 0x74;
/** They are built before anything is paid for. */
const MOST_TOOL_BYTES = 2 * 1024 * 1024;

/** Where requests of a protocol name such tools. */
export interface ToolFields {
  /** The tools in one entry of `tools`; with `field` where it is one of several things in the entry. */
  toolsIn(entry: JsonRecord): { name: string; field?: string }[];
  /** Fields of the body that are a tool themselves. */
  fields?: Readonly<Record<string, string>>;
  /** Fields that choose among tools. */
  choices: readonly string[];
  /** A field that bounds all uses together. */
  limit?: string;
  /** A field of an entry that bounds the uses of that tool. */
  eachLimit?: string;
}

/** For the protocols in which an entry has one `type`. */
export function typedTools(ofClients: ReadonlySet<string>): ToolFields['toolsIn'] {
  return (entry) => {
    const name = toolName(asText(entry['type']) ?? '');
    if (name !== '') return ofClients.has(name) ? [] : [{ name }];
    // One without a type is the client's where it has a name; else each of its fields is a tool of some provider's.
    if (entry['name'] !== undefined || entry['function'] !== undefined) return [];
    return Object.keys(entry).map((field) => ({ name: toolName(field), field }));
  };
}

export function serverToolsOf(json: JsonObject, fields: ToolFields): () => ServerTools {
  let found: ServerTools | undefined;
  return () => (found ??= { list: listTools(json, fields), without: (tools) => changesWithout(json, fields, tools) });
}

function listTools(json: JsonObject, { toolsIn, fields = {}, limit }: ToolFields): ServerTool[] {
  refuseUnclear(json);
  const most = limit === undefined ? undefined : readValue(json, limit);
  const tools: ServerTool[] = [];
  for (const [index, entry] of entriesOf(json).entries()) {
    const record = asRecord(entry) ?? {};
    const own = record['max_uses'] ?? most;
    const mostUses = Number.isSafeInteger(own) && (own as number) >= 0 ? (own as number) : undefined;
    for (const { name, field } of toolsIn(record))
      tools.push({ name, path: field === undefined ? `tools[${index}]` : `tools[${index}].${field}`, mostUses });
  }
  for (const [field, name] of Object.entries(fields)) {
    if (json.entries.some((entry) => foldName(entry.name) === field && isSet(json, entry)))
      tools.push({ name, path: field, mostUses: 1 });
  }
  return tools;
}

/** How often the request in these bytes lets its tools be used. Its fields have been judged before. */
export function toolLimitsIn(fields: ToolFields): (body: Buffer) => ToolLimits | undefined {
  return (body) => {
    const request = parseRecord(body) ?? {};
    const total = fields.limit === undefined ? undefined : asCount(request[fields.limit]);
    const each = eachLimit(asList(request['tools']), fields);
    return total === undefined && Object.keys(each).length === 0 ? undefined : { each, total };
  };
}

/** Of a tool that is offered more than once, all of them together; none where one of them has none. */
function eachLimit(entries: readonly unknown[], { toolsIn, eachLimit: limit }: ToolFields): ToolUses {
  if (limit === undefined) return {};
  const limits = new Map<string, number>();
  for (const record of entries.map((entry) => asRecord(entry) ?? {})) {
    const most = asCount(record[limit]) ?? Infinity;
    for (const { name } of toolsIn(record)) limits.set(name, (limits.get(name) ?? 0) + most);
  }
  return Object.fromEntries([...limits].filter(([, most]) => most !== Infinity));
}

/** However often and in whatever letters a field is given: readers could disagree on which of them counts. */
function isSet({ bytes }: JsonObject, { kind, valueStart }: JsonField): boolean {
  return kind !== 'null' && (kind !== 'boolean' || bytes[valueStart] === LOWER_T);
}

/** What a tool is must be the same to every reader. */
function refuseUnclear(json: JsonObject): void {
  const field = presentField(json, 'tools');
  if (field?.kind !== 'array') return;
  for (const [index, bytes] of arrayElements(json, field).entries()) {
    if (bytes[0] !== OPEN_OBJECT) continue;
    const types = scanJsonObject(bytes).entries.filter(({ name }) => foldName(name) === 'type');
    const path = `tools[${index}].type`;
    if (types.length > 1) throw invalidRequest(`'${path}' is given more than once.`, path);
    if (types.some(({ name }) => name !== 'type')) throw invalidRequest(`'${path}' must be written 'type'.`, path);
  }
}

/** One object may stand for a list of one. */
function entriesOf(json: JsonObject): unknown[] {
  const tools = presentField(json, 'tools') === undefined ? undefined : readValue(json, 'tools', MOST_TOOL_BYTES);
  return Array.isArray(tools) ? tools : asList(tools === undefined ? undefined : [tools]);
}

function changesWithout(json: JsonObject, { choices }: ToolFields, tools: readonly ServerTool[]): JsonChanges {
  const paths = new Set(tools.map(({ path }) => path));
  const remove = [...paths].filter((path) => !path.startsWith('tools['));
  const left = entriesWithout(json, paths);
  if (left === undefined) return { remove };
  const isEmpty = left.length === 0;
  const names = new Set(tools.map(({ name }) => name));
  const unchosen = choices.filter((choice) => isEmpty || choosesOne(readValue(json, choice), names));
  const set = isEmpty ? {} : { tools: `[${left.join(',')}]` };
  return { set, remove: [...remove, ...unchosen, ...(isEmpty ? ['tools'] : [])] };
}

/** The text of each entry that is left; undefined where none changes. */
function entriesWithout(json: JsonObject, paths: ReadonlySet<string>): string[] | undefined {
  const field = presentField(json, 'tools');
  if (field === undefined || ![...paths].some((path) => path.startsWith('tools['))) return undefined;
  const bytes =
    field.kind === 'array' ? arrayElements(json, field) : [json.bytes.subarray(field.valueStart, field.valueEnd)];
  return bytes.flatMap((entry, index) => {
    const path = `tools[${index}]`;
    if (paths.has(path)) return [];
    const gone = [...paths].filter((one) => one.startsWith(`${path}.`)).map((one) => one.slice(path.length + 1));
    if (gone.length === 0) return [entry.toString()];
    const object = scanJsonObject(entry);
    return object.entries.every(({ name }) => gone.includes(name))
      ? []
      : [rewriteJsonObject(object, { remove: gone }).toString()];
  });
}

/** Does it say that one of these is to be used? */
function choosesOne(choice: unknown, names: ReadonlySet<string>): boolean {
  const { type, name } = asRecord(choice) ?? {};
  return [type, name].some((one) => typeof one === 'string' && names.has(toolName(one)));
}
