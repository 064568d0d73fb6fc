// Reads LiteLLM's config.yaml. Secrets that it names as `os.environ/NAME` are read from the environment of this command.
import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
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
}

export async function readLitellmConfig(path: string): Promise<LitellmConfig> {
  const written = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Refused(`${path}: ${(error as Error).message}`);
  });
  const document = parseDocument(written, { lineCounter: new LineCounter() });
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new Refused(`${path}:${problem.linePos?.[0].line ?? 1}: ${problem.message.split('\n')[0]}`);
  const content = object(document.toJS());
  const models = content?.['model_list'];
  if (content === undefined || (models !== undefined && !Array.isArray(models)))
    throw new Refused(`${path} is no configuration of LiteLLM: it has no list "model_list".`);
  return {
    deployments: ((models ?? []) as unknown[]).map((entry, at) => deploymentOf(entry, `${path}: model_list[${at}]`)),
    general: object(content['general_settings']) ?? {},
    router: object(content['router_settings']) ?? {},
    litellm: object(content['litellm_settings']) ?? {},
  };
}

function deploymentOf(entry: unknown, path: string): Deployment {
  const row = object(entry) ?? {};
  const name = text(row['model_name']);
  const params = object(row['litellm_params']);
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
