// The keys of a channel: several in one column, in a form that depends on the vendor.
import { object, type Row, text } from '../../sources/source.ts';

export interface ChannelKeys {
  keys: string[];
  /** Of Amazon, where the key names it. */
  region?: string;
}

/** As new-api tells them apart: a JSON list, an object that may have line breaks, or one per line. */
export function splitKeys(column: string): string[] {
  const written = column.trim();
  if (written === '') return [];
  try {
    const read: unknown = JSON.parse(written);
    if (Array.isArray(read)) return read.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    if (typeof read === 'object' && read !== null) return [JSON.stringify(read)];
  } catch {
    // One per line.
  }
  return written
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Keys by region: `ACCESS|SECRET|region`, or `KEY|region`. */
export function amazonKeys(keys: readonly string[], config: Row): ChannelKeys[] {
  const byRegion = new Map<string, string[]>();
  const own =
    text(config['ak']) === '' ? [] : [`${text(config['ak'])}|${text(config['sk'])}|${text(config['region'])}`];
  for (const key of own.length > 0 ? own : keys) {
    const parts = key.split('|').map((part) => part.trim());
    const region = (parts.length > 1 ? parts.pop() : text(config['region'])) ?? '';
    byRegion.set(region, [...(byRegion.get(region) ?? []), parts.join(':')]);
  }
  return [...byRegion].map(([region, list]) => ({ keys: list, region }));
}

/** Kling signs with a pair. */
export function pairKeys(keys: readonly string[]): string[] {
  return keys.map((key) => key.split('|').join(':'));
}

/** Keys that new-api has switched off one by one. */
export function withoutDisabled(keys: readonly string[], channelInfo: unknown): string[] {
  const states = object(object(channelInfo)?.['multi_key_status_list']) ?? {};
  return keys.filter((_, at) => states[String(at)] === undefined || Number(states[String(at)]) === 1);
}
