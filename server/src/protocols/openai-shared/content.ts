// Content of messages: the same frame in all protocols of this family, around parts that each names in its own way.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { CacheMark, MediaPart, Part } from '../../neutral/conversation.ts';
import type { Dropped } from '../../neutral/dropped.ts';
import { asRecord, asText, type JsonRecord, needRecord, unknownFields } from '../json/json-value.ts';

export interface PartKinds {
  /** Names of the fields that parts may have. */
  fields: readonly string[];
  /** undefined for a kind that the neutral form does not know. */
  read(wire: JsonRecord, path: string): Part | undefined;
}

export const CACHE_FIELDS = ['cache_control', 'prompt_cache_breakpoint'];

/** Reads a text, or a list of parts; what is not known goes into `unknown`. */
export function contentReader({
  fields,
  read,
}: PartKinds): (value: unknown, path: string, unknown: string[]) => Part[] {
  const known = new Set(['type', ...fields, ...CACHE_FIELDS]);
  return (value, path, unknown) => {
    if (value === undefined || value === null) return [];
    if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value, path }];
    if (!Array.isArray(value)) throw invalidRequest(`'${path}' must be a string or an array.`, path);
    return value.flatMap((one, index): Part[] => {
      const fieldPath = `${path}[${index}]`;
      const wire = needRecord(one, fieldPath);
      const part = read(wire, fieldPath);
      unknown.push(...(part === undefined ? [fieldPath] : unknownFields(wire, known, `${fieldPath}.`)));
      return part === undefined ? [] : [{ ...part, ...readCacheMark(wire, fieldPath) }];
    });
  };
}

/** Writes text and media; parts of other kinds have their own places. Media without a place are named. */
export function contentWriter(
  textType: string,
  writeMedia: (part: MediaPart, dropped: Dropped) => JsonRecord | undefined,
): (parts: readonly Part[], dropped: Dropped) => JsonRecord[] {
  const writePart = (part: Part, dropped: Dropped): JsonRecord | undefined => {
    if (part.type === 'text') return part.text === '' ? undefined : { type: textType, text: part.text };
    if (part.type !== 'media') return undefined;
    const media = writeMedia(part, dropped);
    if (media === undefined) dropped.path(part.path);
    return media;
  };
  return (parts, dropped) =>
    parts.flatMap((part): JsonRecord[] => {
      const written = writePart(part, dropped);
      if (written !== undefined) return [{ ...written, ...writeCacheMark(part.cacheMark, dropped) }];
      dropCacheMarks([part], dropped);
      return [];
    });
}

/** `prompt_cache_breakpoint`, or `cache_control`, an extension that several compatible providers share. */
export function readCacheMark(wire: JsonRecord, path: string): { cacheMark?: CacheMark } {
  const name = CACHE_FIELDS.find((one) => asRecord(wire[one]) !== undefined);
  if (name === undefined) return {};
  const ttl = asText(asRecord(wire[name])?.['ttl']);
  const isBreakpoint = name === 'prompt_cache_breakpoint' && { isBreakpoint: true as const };
  return { cacheMark: { path: `${path}.${name}`, ...(ttl !== undefined && { ttl }), ...isBreakpoint } };
}

/**
 * Only what was written as a breakpoint is sent as one: other upstreams of this family refuse the field, and all of them
 * keep prompts without being asked.
 */
function writeCacheMark(mark: CacheMark | undefined, dropped: Dropped): JsonRecord {
  if (mark === undefined) return {};
  if (mark.isBreakpoint === true) return { prompt_cache_breakpoint: { mode: 'explicit', ttl: mark.ttl } };
  dropped.path(mark.path);
  return {};
}

/** Where no mark can be written. */
export function dropCacheMarks(parts: readonly Part[], dropped: Dropped): void {
  for (const { cacheMark } of parts) if (cacheMark !== undefined) dropped.path(cacheMark.path);
}
