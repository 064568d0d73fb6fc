// Where the models of a Vertex channel are: under a project and a location, or under neither for an express key.
import { readServiceAccount } from '../credentials/google-service-account.ts';
import { isJson } from '../credentials/json-credential.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { UpstreamSettings } from '../upstream-settings.ts';

/** Path of a model, without a leading slash. */
export function modelPath(model: string, { baseUrl, options, credential }: UpstreamSettings): string {
  const publisher = `publishers/google/models/${encodeURIComponent(model)}`;
  if (!isJson(credential)) return publisher; // an express key
  const project = options.project ?? readServiceAccount(credential).value.project;
  if (project === undefined)
    throw new UpstreamError('unauthorised', 'neither the channel nor its key names a project', { notSent: true });
  const location = options.location ?? locationIn(baseUrl);
  return `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}/${publisher}`;
}

/** `us-central1` of `https://us-central1-aiplatform.googleapis.com`, `eu` of `https://aiplatform.eu.rep.googleapis.com`. */
function locationIn(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const [, region, area] = /^(?:([a-z0-9-]+)-aiplatform\.|aiplatform\.([a-z]+)\.rep\.)/.exec(hostname) ?? [];
  return region ?? area ?? 'global';
}
