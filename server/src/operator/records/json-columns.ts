// Columns as this folder reads and writes them: lists and objects in JSON text, rate policies, and what a patch leaves as it is.
import type { Rate, RatePatch } from '#contract/values/rate.ts';

const NO_RATE: Rate = { rpm: null, tpm: null, concurrency: null };

export function readList(text: string): string[];
export function readList(text: string | null): string[] | null;
export function readList(text: string | null): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]);
}

export function writeList(list: readonly string[]): string;
export function writeList(list: readonly string[] | null): string | null;
export function writeList(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

export function readMap(text: string): Record<string, string> {
  return JSON.parse(text) as Record<string, string>;
}

export function readRate(text: string): Rate {
  return { ...NO_RATE, ...(JSON.parse(text) as Partial<Rate>) };
}

/** What a patch makes of the column. */
export function writeRate(before: string, patch: RatePatch): string {
  return JSON.stringify(patch === null ? NO_RATE : { ...readRate(before), ...patch });
}

/** Of these fields, which are columns as they are, those that the patch has. */
export function given<Patch extends object, Name extends keyof Patch>(patch: Patch, ...names: Name[]) {
  const fields = names.filter((name) => patch[name] !== undefined).map((name) => [name, patch[name]]);
  return Object.fromEntries(fields) as { [name in Name]?: Exclude<Patch[name], undefined> };
}
