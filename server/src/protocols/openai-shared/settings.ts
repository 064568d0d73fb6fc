// Settings that the protocols of this family write alike.
import { createHash } from 'node:crypto';
import type { Message } from '../../neutral/conversation.ts';
import type { Dropped } from '../../neutral/dropped.ts';
import { EFFORTS, type Effort, type Generation, type SettingPaths, type Settings } from '../../neutral/generation.ts';
import { needsTools } from '../../neutral/tool-choice.ts';
import { asList, asText, type JsonRecord, needText, optionalText } from '../json/json-value.ts';

export function readEffort(value: unknown, path: string, unknown: string[]): Effort | undefined {
  const text = optionalText(value, path);
  const effort = EFFORTS.find((one) => one === text);
  if (text !== undefined && effort === undefined) unknown.push(path);
  return effort;
}

/** A field that may be anything (spec 2.10), of which only a text has a place elsewhere. */
export function textOfAny(wire: JsonRecord, name: string, unknown: string[]): string | undefined {
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
export function writeMetadata({ metadata }: Settings, dropped: Dropped): JsonRecord | undefined {
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

export function writeServiceTier({ serviceTier }: Settings, dropped: Dropped): string | undefined {
  if (serviceTier === undefined) return undefined;
  const tier = TIERS.get(serviceTier);
  if (tier === undefined) dropped.setting('serviceTier');
  return tier;
}

/** What chooses among tools is refused where there are none. */
export function withTools({ tools, settings }: Generation, dropped: Dropped): Settings {
  const { toolChoice, parallelToolCalls: _, ...rest } = settings;
  if (tools.length > 0) return settings;
  if (needsTools(toolChoice)) dropped.setting('toolChoice');
  return rest;
}

export const JSON_ONLY = 'Answer with one JSON object and nothing else.';

/** JSON without a schema is refused unless the conversation speaks of it. */
export function lacksWordJson({ messages, settings }: Generation): boolean {
  return settings.format?.type === 'json' && !messages.some(speaksOfJson);
}

function speaksOfJson({ content }: Message): boolean {
  return content.some((part) => part.type === 'text' && /json/i.test(part.text));
}

/** Fields that ask for nothing as they stand; leaving them out loses nothing. */
export function asksNothing(wire: JsonRecord, name: string): boolean {
  const value = wire[name];
  if (value === false || value === 0) return true;
  return asText(value) === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
