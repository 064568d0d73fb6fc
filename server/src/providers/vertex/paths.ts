// Addresses of Vertex AI: they name project and location, which come from the channel's options, from the service account
// and from the host; with an API key alone (express) there is neither.
// https://cloud.google.com/vertex-ai/docs/reference/rest
import { isJson } from '../credentials/json-credential.ts';
import { readServiceAccount } from '../credentials/google-service-account.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { UpstreamSettings } from '../upstream-settings.ts';

const REGION = /^https?:\/\/([a-z0-9-]+)-aiplatform\.googleapis\.com/;
const MULTI_REGION = /^https?:\/\/aiplatform\.([a-z]+)\.rep\.googleapis\.com/;
/** The location of the host without a region. */
const GLOBAL = 'global';

/** `/v1/projects/P/locations/L`, or `/v1` for an express key. Throws an UpstreamError where the project is not known. */
export function projectPath({ baseUrl, options, credential }: UpstreamSettings, version = 'v1'): string {
  const project = options.project ?? projectOf(credential);
  if (project === undefined) return `/${version}`;
  const location = options.location ?? locationIn(baseUrl);
  return `/${version}/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
}

/** A publisher's model, and what is to be done with it. */
export function publisherPath(settings: UpstreamSettings, publisher: string, action: string): string {
  return `${projectPath(settings)}/publishers/${publisher}/models/${action}`;
}

export function locationIn(baseUrl: string): string {
  return REGION.exec(baseUrl)?.[1] ?? MULTI_REGION.exec(baseUrl)?.[1] ?? GLOBAL;
}

function projectOf(credential: string): string | undefined {
  if (!isJson(credential)) return undefined;
  const { project } = readServiceAccount(credential).value;
  if (project !== undefined) return project;
  throw new UpstreamError('unauthorised', 'the project is not known: set "options.project" of the channel');
}
