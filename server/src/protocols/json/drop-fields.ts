// Fields that a channel wants left out of its requests, taken out of a translated one. What the caller has asked for with
// them is named in the caller's words.
import type { Generation, SettingName, SettingPaths } from '../../neutral/generation.ts';
import type { JsonRecord } from './json-value.ts';
import { rewriteRecord } from './write-json.ts';
import type { GenerationTarget } from '../text-protocol.ts';

type Origins = Readonly<Record<string, readonly (SettingName | 'tools' | 'instructions')[]>>;

/** The fields of the top that hold these settings, where clients and upstreams of a protocol call them alike. */
export function originsOf(paths: SettingPaths): Origins {
  const origins: Record<string, SettingName[]> = {};
  for (const [setting, path] of Object.entries(paths))
    (origins[path.split('.', 1)[0] ?? path] ??= []).push(setting as SettingName);
  return origins;
}

/** The fields of an upstream's requests. */
export interface OwnFields {
  /** What of the neutral form stands in each. Others hold the gateway's own. */
  origins: Origins;
  /** Fields that no channel may filter out. */
  fixed: ReadonlySet<string>;
  /** Fields that are refused without `tools`. */
  ofTools?: readonly string[];
}

/** The body of a translated request, with what the channel and its provider change in it. */
export function writeBody(wire: JsonRecord, own: OwnFields, generation: Generation, target: GenerationTarget): Buffer {
  dropFields(wire, own, generation, target);
  return Buffer.from(JSON.stringify(rewriteRecord(wire, target.rewrite)));
}

export function dropFields(
  wire: JsonRecord,
  { origins, fixed, ofTools = [] }: OwnFields,
  { tools, messages, settings }: Generation,
  { dropFields: names, dropped }: GenerationTarget,
): void {
  const instructions = messages.filter(({ role }) => role === 'system');
  for (const name of names.includes('tools') ? [...names, ...ofTools] : names) {
    if (fixed.has(name) || wire[name] === undefined) continue;
    delete wire[name];
    for (const origin of origins[name] ?? []) {
      if (origin === 'tools') for (const { path } of tools) dropped.path(path);
      else if (origin === 'instructions') for (const { path } of instructions) dropped.path(path);
      else if (settings[origin] !== undefined) dropped.setting(origin);
    }
  }
}
