// Azure's addresses: under /openai/v1 as OpenAI has them, or, with a dated version of the API, under the deployment.
// https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
import type { OperationPath } from '../provider.ts';
import type { UpstreamSettings } from '../upstream-settings.ts';

const V1 = '/openai/v1';
const DATED = '/openai';

/** `path` as OpenAI has it; the upstream's name of a model is the name of its deployment. */
export function deployed(path: string): OperationPath {
  return (deployment, _stream, settings) =>
    settings.options.apiVersion === undefined
      ? sharedPath(path, settings)
      : sharedPath(`/deployments/${encodeURIComponent(deployment)}${path}`, settings);
}

/** The same for what no deployment is named for. */
export function shared(path: string): OperationPath {
  return (_deployment, _stream, settings) => sharedPath(path, settings);
}

export function sharedPath(path: string, settings: Pick<UpstreamSettings, 'options' | 'baseUrl'>): string {
  const { apiVersion } = settings.options;
  if (apiVersion === undefined) return `${beyond(V1, settings)}${path}`;
  return `${beyond(DATED, settings)}${path}?api-version=${encodeURIComponent(apiVersion)}`;
}

/** Beta addresses are gone: realtime has no dated one. */
export const realtimePath: OperationPath = (deployment, _stream, settings) =>
  `${beyond(V1, settings)}/realtime?model=${encodeURIComponent(deployment)}`;

const WRITTEN = /\/openai(?:\/v1)?(?=\/*$)/;

/** What of the root is not at the end of the base address already: the portal shows addresses with it. */
function beyond(root: string, { baseUrl }: Pick<UpstreamSettings, 'baseUrl'>): string {
  const [written = ''] = WRITTEN.exec(new URL(baseUrl).pathname) ?? [];
  return root.startsWith(written) ? root.slice(written.length) : root;
}
