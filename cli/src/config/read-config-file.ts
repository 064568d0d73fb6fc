// Reads a configuration file, YAML or JSON. What is wrong is named with its line and field.
import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { type ConfigFile, configFile, CONFIG_KINDS } from '#contract/config-file.ts';
import { emptyResources, type Resources } from '#contract/config-plan.ts';
import { Refused } from '../refused.ts';

export interface ReadConfig {
  file: ConfigFile;
  /** What the file itself gives, by kind and name. */
  given: Resources;
  /** As it stands in the file, without secrets: what the gateway keeps. */
  content: Record<string, unknown>;
}

export async function readConfigFile(path: string): Promise<ReadConfig> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Refused(`${path}: ${(error as Error).message}`);
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new Refused(`${path}:${problem.linePos?.[0].line ?? 1}: ${problem.message.split('\n')[0]}`);
  const content = (document.toJS() ?? {}) as Record<string, unknown>;
  const read = configFile.safeParse(content);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : (issue?.path ?? []);
    throw new Refused(
      `${path}:${lineOf(document, lines, field)}: "${field.join('.')}": ${issue?.message ?? 'is wrong'}`,
    );
  }
  const given = emptyResources();
  for (const kind of CONFIG_KINDS) {
    for (const [name, fields] of Object.entries(read.data[kind] as Record<string, Record<string, unknown>>)) {
      const named = Object.keys((content[kind] as Record<string, object> | undefined)?.[name] ?? {});
      given[kind][name] = Object.fromEntries(Object.entries(fields).filter(([field]) => named.includes(field)));
    }
  }
  return { file: read.data, given, content };
}

/** Of the field itself, or of the nearest thing around it that is there. */
function lineOf(document: ReturnType<typeof parseDocument>, lines: LineCounter, path: readonly unknown[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
    if (node?.range !== undefined) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
