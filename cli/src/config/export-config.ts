// A gateway's configuration as a file. Secrets become names of variables; what is as usual is left out.
import type { z } from 'zod';
import { configFile, CONFIG_KINDS, type ConfigKind } from '#contract/config-file.ts';
import { isUsualRule } from '#contract/config-plan.ts';
import { readCurrent } from './read-current.ts';
import { sayable } from './sayable.ts';

type Row = Record<string, unknown>;

/** `leftOut` are sentences about what is not in the file. */
export async function exportConfig(): Promise<{ file: Row; leftOut: string[] }> {
  const { shown, leftOut } = sayable(await readCurrent());
  const file: Row = { version: 1 };
  for (const kind of CONFIG_KINDS) {
    const entries = Object.entries(shown[kind]).filter(
      ([, row]) => row['sandbox'] !== true && !(kind === 'alert_rules' && isUsualRule(row)),
    );
    if (entries.length > 0)
      file[kind] = Object.fromEntries(entries.map(([name, row]) => [name, entryOf(kind, name, row)]));
  }
  return { file, leftOut };
}

function entryOf(kind: ConfigKind, name: string, row: Row): Row {
  const schema = entrySchema(kind);
  const usual = usualOf(schema);
  const entry: Row = {};
  for (const field of Object.keys(schema.shape)) {
    const value = row[field];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(usual[field])) continue;
    entry[field] = value;
  }
  if (kind === 'channels') nameSecrets(name, entry);
  if (kind === 'tokens') delete entry['key'];
  if (kind === 'alert_sinks') nameSinkSecrets(name, entry);
  if (kind === 'channels' && typeof entry['options'] === 'object')
    entry['options'] = withoutNulls(entry['options'] as Row);
  if (typeof entry['rate'] === 'object' && entry['rate'] !== null) {
    entry['rate'] = withoutNulls(entry['rate'] as Row);
    if (Object.keys(entry['rate'] as Row).length === 0) delete entry['rate'];
  }
  return entry;
}

function entrySchema(kind: ConfigKind): z.ZodObject {
  const record = configFile.shape[kind].unwrap() as z.ZodRecord;
  return record.valueType as z.ZodObject;
}

function usualOf(schema: z.ZodObject): Row {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([field, inner]) => [field, (inner as z.ZodType).safeParse(undefined).data]),
  );
}

function nameSecrets(name: string, entry: Row): void {
  const word = wordOf(name);
  const keys = (entry['keys'] ?? []) as string[];
  if (keys.length > 0) entry['keys'] = keys.map((_, at) => `env:${word}_KEY${keys.length === 1 ? '' : `_${at + 1}`}`);
  const headers = Object.keys(entry['headers'] ?? {});
  if (headers.length > 0)
    entry['headers'] = Object.fromEntries(
      headers.map((header) => [header, `env:${word}_${header.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`]),
    );
}

/** Where the file is applied, a webhook gets a new secret. */
function nameSinkSecrets(name: string, entry: Row): void {
  const isWebhook = entry['kind'] === 'webhook';
  if (!isWebhook && typeof entry['url'] === 'string') entry['url'] = `env:${wordOf(name)}_URL`;
  if (isWebhook) delete entry['secret'];
  else if (typeof entry['secret'] === 'string') entry['secret'] = `env:${wordOf(name)}_SECRET`;
}

function wordOf(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^(\d)/, '_$1');
}

function withoutNulls(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
