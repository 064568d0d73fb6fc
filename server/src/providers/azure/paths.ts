// Azure's addresses: under /openai/v1 as OpenAI has them, or, with a dated version of the API, under the deployment.
// https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
import type { OperationPath } from '../provider.ts';
import type { UpstreamSettings } from '../upstream-settings.ts';

/** `path` as OpenAI has it; the upstream's name of a model is the name of its deployment. */
export function deployed(path: string): OperationPath {
  return (deployment, _stream, { options: { apiVersion } }) =>
    apiVersion === undefined
      ? `/openai/v1${path}`
      : `/openai/deployments/${encodeURIComponent(deployment)}${path}?api-version=${encodeURIComponent(apiVersion)}`;
}

/** The same for what no deployment is named for. */
export function shared(path: string): OperationPath {
  return (_deployment, _stream, settings) => sharedPath(path, settings);
}

export function sharedPath(path: string, { options: { apiVersion } }: Pick<UpstreamSettings, 'options'>): string {
  return apiVersion === undefined
    ? `/openai/v1${path}`
    : `/openai${path}?api-version=${encodeURIComponent(apiVersion)}`;
}
