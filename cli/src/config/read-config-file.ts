// Reads a configuration file, YAML or JSON. What is wrong is named with its line and field.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isMap, isScalar, type LineCounter, type parseDocument } from 'yaml';
import { type ConfigFile, configFile, CONFIG_KINDS } from '#contract/config-file.ts';
import { emptyResources, type Resources } from '#contract/config-plan.ts';
import { readYaml } from '../read-yaml.ts';
import { Refused } from '../refused.ts';
import { problemOf, sentenceOf } from './first-problem.ts';

/** Lists that are read leave it out. */
const UNUSABLE = '__proto__';

export interface ReadConfig {
  file: ConfigFile;
  /** What the file itself gives, by kind and name. */
  given: Resources;
  /** As it stands in the file, without secrets: what the gateway keeps. */
  content: Record<string, unknown>;
  /** Whole, as the gateway notes it. */
  path: string;
  /** `file:line: "field"`, as messages begin. */
  placeOf(field: readonly unknown[]): string;
}

export async function readConfigFile(path: string): Promise<ReadConfig> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Refused(`${path}: ${(error as Error).message}`);
  });
  const { document, lines } = readYaml(path, text);
  // With --prune an empty file, of a template that failed for example, would remove all that the last one made.
  if (document.contents === null) throw new Refused(`${path}: the file is empty.`);
  if (!isMap(document.contents)) throw new Refused(`${path}:1: the file must hold fields such as "version: 1".`);
  const placeOf = (field: readonly unknown[]): string =>
    `${path}:${lineOf(document, lines, field)}: "${field.join('.')}"`;
  const content = contentOf(document, path);
  const read = configFile.safeParse(content, { error: sentenceOf });
  if (!read.success) {
    const { field, sentence } = problemOf(read.error);
    throw new Refused(`${placeOf(field)}: ${sentence}`);
  }
  const given = emptyResources();
  for (const kind of CONFIG_KINDS) {
    if (Object.hasOwn((content[kind] as object | undefined) ?? {}, UNUSABLE))
      throw new Refused(`${placeOf([kind, UNUSABLE])} cannot be a name`);
    for (const [name, fields] of Object.entries(read.data[kind] as Record<string, Record<string, unknown>>)) {
      const named = Object.keys((content[kind] as Record<string, object> | undefined)?.[name] ?? {});
      given[kind][name] = Object.fromEntries(Object.entries(fields).filter(([field]) => named.includes(field)));
    }
  }
  return { file: read.data, given, content, path: resolve(path), placeOf };
}

/** Aliases of aliases may stand for more than any memory holds. */
function contentOf(document: ReturnType<typeof parseDocument>, path: string): Record<string, unknown> {
  try {
    return document.toJS() as Record<string, unknown>;
  } catch (error) {
    throw new Refused(`${path}: ${(error as Error).message}`);
  }
}

/** Of the field's name where it has one, of an item of a list, or of the nearest thing around it that is there. */
function lineOf(document: ReturnType<typeof parseDocument>, lines: LineCounter, path: readonly unknown[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(path[length - 1]))
      : undefined;
    const node = (pair?.key ?? document.getIn(path.slice(0, length), true)) as
      | { range?: [number, number, number] }
      | undefined;
    if (node?.range !== undefined) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
