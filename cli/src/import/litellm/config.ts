// Reads LiteLLM's config.yaml. Secrets that it names as `os.environ/NAME` are read from the environment of this command.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readYaml } from '../../read-yaml.ts';
import { Refused } from '../../refused.ts';
import { object, type Row, text } from '../sources/source.ts';

export interface Deployment {
  name: string;
  params: Row;
  info: Row;
}

export interface LitellmConfig {
  deployments: Deployment[];
  general: Row;
  router: Row;
  litellm: Row;
  /** Set by the file itself, before those of the command's environment. */
  variables: Record<string, string>;
}

const SECTIONS = [
  'model_list',
  'general_settings',
  'router_settings',
  'litellm_settings',
  'environment_variables',
  'credential_list',
  'include',
] as const;

export async function readLitellmConfig(path: string): Promise<LitellmConfig> {
  const content = await readContent(path, new Set());
  if (Object.keys(content).length > 0 && !SECTIONS.some((name) => content[name] !== undefined))
    throw new Refused(`${path} is no configuration of LiteLLM: it has none of ${SECTIONS.join(', ')}.`);
  const entries = (content['model_list'] ?? []) as unknown[];
  const credentials = new Map(
    ((content['credential_list'] ?? []) as unknown[]).map((entry) => {
      const row = object(entry) ?? {};
      return [text(row['credential_name']), object(row['credential_values']) ?? {}];
    }),
  );
  return {
    deployments: entries.map((entry, at) => deploymentOf(entry, { path: `${path}: model_list[${at}]`, credentials })),
    general: object(content['general_settings']) ?? {},
    router: object(content['router_settings']) ?? {},
    litellm: object(content['litellm_settings']) ?? {},
    variables: Object.fromEntries(
      Object.entries(object(content['environment_variables']) ?? {}).map(([name, value]) => [name, text(value)]),
    ),
  };
}

/** As LiteLLM reads it: what a file includes is added to its lists, and replaces all else. */
async function readContent(path: string, read: Set<string>): Promise<Row> {
  read.add(path);
  const written = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Refused(`${path}: ${(error as Error).message}`);
  });
  const { document } = readYaml(path, written);
  const content: Row = object(document.toJS()) ?? {};
  for (const name of ['model_list', 'credential_list', 'include'])
    if (content[name] !== undefined && content[name] !== null && !Array.isArray(content[name]))
      throw new Refused(`${path} is no configuration of LiteLLM: "${name}" is no list.`);
  for (const name of (content['include'] ?? []) as unknown[]) {
    const included = join(dirname(path), text(name));
    if (read.has(included)) continue;
    for (const [section, value] of Object.entries(await readContent(included, read))) {
      const there = content[section];
      content[section] = Array.isArray(there) && Array.isArray(value) ? ([...there, ...value] as Row[string]) : value;
    }
  }
  return content;
}

function deploymentOf(
  entry: unknown,
  { path, credentials }: { path: string; credentials: ReadonlyMap<string, Row> },
): Deployment {
  const row = object(entry) ?? {};
  const name = text(row['model_name']);
  const own = object(row['litellm_params']);
  const params = own && { ...credentials.get(text(own['litellm_credential_name'])), ...own };
  if (name === '') throw new Refused(`${path} has no "model_name".`);
  if (params === undefined || text(params['model']) === '') throw new Refused(`${path} has no "litellm_params.model".`);
  return { name, params, info: object(row['model_info']) ?? {} };
}

export interface Secret {
  value: string;
  /** Set where the environment lacks it. */
  missing?: string;
}

export function resolve(written: unknown, environment: NodeJS.ProcessEnv): Secret {
  const reference = text(written).trim();
  if (!reference.startsWith('os.environ/')) return { value: reference };
  const name = reference.slice('os.environ/'.length);
  const value = environment[name]?.trim() ?? '';
  return value === '' ? { value, missing: name } : { value };
}
