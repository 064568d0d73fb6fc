// Settings that the protocols of this family write alike.
import { createHash } from 'node:crypto';
import type { Dropped } from '../../neutral/dropped.ts';
import {
  EFFORTS,
  type Effort,
  type Generation,
  needsTools,
  type SettingPaths,
  type Settings,
} from '../../neutral/generation.ts';
import {
  asList,
  asText,
  type Given,
  type JsonRecord,
  needText,
  optionalNumber,
  optionalRecord,
  optionalText,
} from '../json/json-value.ts';

export function readEffort(value: unknown, path: string, unknown: string[]): Effort | undefined {
  const text = optionalText(value, path);
  const effort = EFFORTS.find((one) => one === text);
  if (text !== undefined && effort === undefined) unknown.push(path);
  return effort;
}

/** Of chat and of completions. */
export function readSampling(wire: JsonRecord): Given<Settings> {
  const number = (name: string): number | undefined => optionalNumber(wire[name], name);
  const choices = number('n');
  return {
    maxOutputTokens: number('max_completion_tokens') ?? number('max_tokens'),
    temperature: number('temperature'),
    topP: number('top_p'),
    topK: number('top_k'),
    stop: readStop(wire['stop']),
    seed: number('seed'),
    presencePenalty: number('presence_penalty'),
    frequencyPenalty: number('frequency_penalty'),
    choices: choices !== undefined && choices > 1 ? choices : undefined,
  };
}

/** The same: whose request it is, and how it is to be served. */
export function readLabels(wire: JsonRecord, unknown: string[]): Given<Settings> {
  return {
    user: textOfAny(wire, 'safety_identifier', unknown) ?? optionalText(wire['user'], 'user'),
    metadata: optionalRecord(wire['metadata'], 'metadata'),
    serviceTier: textOfAny(wire, 'service_tier', unknown),
  };
}

/** A field that may be anything (spec 2.10), of which only a text has a place elsewhere. */
function textOfAny(wire: JsonRecord, name: string, unknown: string[]): string | undefined {
  const value = wire[name];
  if (value !== undefined && value !== null && typeof value !== 'string') unknown.push(name);
  return asText(value);
}

/** Settings that the caller wrote under the newer of two names. */
export function otherNames(wire: JsonRecord): SettingPaths {
  return {
    ...(asText(wire['safety_identifier']) !== undefined && { user: 'safety_identifier' }),
    ...(typeof wire['max_completion_tokens'] === 'number' && { maxOutputTokens: 'max_completion_tokens' }),
  };
}

/** One text or several; undefined when there is none that could stop anything. */
export function readStop(value: unknown): string[] | undefined {
  const texts = typeof value === 'string' ? [value] : asList(value);
  const stop = texts.map((one, index) => needText(one, `stop[${index}]`)).filter((one) => one !== '');
  return stop.length === 0 ? undefined : stop;
}

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-safety_identifier */
const LONGEST_IDENTIFIER = 64;

/** One that is too long is replaced by its hash, which tells users apart just as well. */
export function writeIdentifier(user: string | undefined): string | undefined {
  if (user === undefined || user.length <= LONGEST_IDENTIFIER) return user;
  return createHash('sha256').update(user).digest('hex');
}

/** Labels are a flat map of texts; anything else is refused. */
function writeMetadata({ metadata }: Settings, dropped: Dropped): JsonRecord | undefined {
  if (metadata === undefined) return undefined;
  if (Object.values(metadata).every((value) => typeof value === 'string')) return metadata;
  dropped.setting('metadata');
  return undefined;
}

/** The end user's id has two names; the older one is passed over where both are given, and named if it says otherwise. */
export function unheardUser(wire: JsonRecord): string[] {
  const { user, safety_identifier: identifier } = wire;
  const isGiven = typeof identifier === 'string' && typeof user === 'string';
  return isGiven && identifier !== user ? ['user'] : [];
}

const TIERS: ReadonlyMap<string, string> = new Map([
  ...['auto', 'default', 'flex', 'scale', 'priority', 'fast'].map((tier) => [tier, tier] as const),
  ['standard', 'default'],
  ['standard_only', 'default'],
]);

/** Of chat and of responses. */
export function writeLabels(settings: Settings, dropped: Dropped): JsonRecord {
  return {
    safety_identifier: writeIdentifier(settings.user),
    metadata: writeMetadata(settings, dropped),
    prompt_cache_key: settings.cacheKey,
    service_tier: dropped.word('serviceTier', settings.serviceTier, TIERS),
  };
}

/** What chooses among tools is refused where there are none. */
export function withTools({ tools, settings }: Generation, dropped: Dropped): Settings {
  const { toolChoice, parallelToolCalls: _, ...rest } = settings;
  if (tools.length > 0) return settings;
  if (needsTools(toolChoice)) dropped.setting('toolChoice');
  return rest;
}

const JSON_ONLY = { role: 'system', content: 'Answer with one JSON object and nothing else.' };

/** JSON without a schema is refused unless the conversation speaks of it. */
export function jsonHint({ messages, settings }: Generation): JsonRecord[] {
  if (settings.format?.type !== 'json') return [];
  const parts = messages.flatMap(({ content }) => content);
  return parts.some((part) => part.type === 'text' && /json/i.test(part.text)) ? [] : [JSON_ONLY];
}

/** Of these fields those that ask for something as they stand; leaving out the others loses nothing. */
export function askedOf(wire: JsonRecord, names: readonly string[]): string[] {
  return names.filter((name) => {
    const value = wire[name] ?? false;
    if (value === false || value === 0 || value === '') return false;
    return typeof value !== 'object' || Object.keys(value).length > 0;
  });
}
