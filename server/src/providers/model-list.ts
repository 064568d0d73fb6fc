// How a kind of upstream lists its models, for operators who set up a channel (contract-2 9).
import { asList, asRecord, asText, type JsonRecord, parseRecord } from '../protocols/json/json-value.ts';
import type { UpstreamComplaint } from '../protocols/protocol.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

export interface ModelList {
  /** Path and query under the base address. */
  path: string | ((settings: UpstreamSettings) => string);
  /** The base address of the list, where that is another than the channel's. */
  baseUrl?(baseUrl: string): string;
  /** undefined when the bytes are no such list. */
  read(body: Buffer): ModelPage | undefined;
  readComplaint(body: Buffer): UpstreamComplaint;
}

export interface ModelPage {
  /** Upstream names, as `models` of a channel takes them. */
  ids: string[];
  /** Added to the query for the next page; undefined on the last. */
  next?: string | undefined;
}

export interface ListShape {
  /** The field that holds the list. */
  list: string;
  /** The field of each that holds its name. */
  id: string;
  /** What of the name is not part of it. */
  prefix?: string;
  /** The query of the next page, where there is one. */
  next?(answer: JsonRecord): string | undefined;
}

export function readModelPage({ list, id, prefix = '', next }: ListShape): ModelList['read'] {
  return (body) => {
    const answer = parseRecord(body);
    const entries = answer?.[list];
    if (answer === undefined || !Array.isArray(entries)) return undefined;
    const names = asList(entries).flatMap((entry) => asText(asRecord(entry)?.[id]) ?? []);
    const ids = names.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
    return { ids: ids.filter((name) => name !== ''), next: next?.(answer) };
  };
}

/** For a token of the next page that stands in the answer. */
export function nextToken(field: string, parameter: string): (answer: JsonRecord) => string | undefined {
  return (answer) => {
    const token = asText(answer[field]) ?? '';
    return token === '' ? undefined : `${parameter}=${encodeURIComponent(token)}`;
  };
}
