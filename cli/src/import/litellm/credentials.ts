// The key of a deployment, in the form that its kind of upstream takes here.
import { readFileSync } from 'node:fs';
import type { PlannedChannel } from '../import-plan.ts';
import { object, type Row, text } from '../sources/source.ts';
import { resolve, type Secret } from './config.ts';
import type { Vendor } from './vendors.ts';

export interface Credential {
  keys: string[];
  options: NonNullable<PlannedChannel['options']>;
  /** Where the key decides it. */
  baseUrl?: string;
  /** Name of what the environment lacks. */
  missing?: string;
}

export function readCredential(vendor: Vendor, params: Row, environment: NodeJS.ProcessEnv): Credential {
  const read = (name: string): Secret => resolve(params[name], environment);
  if (vendor.provider === 'bedrock') return amazon(vendor, read, environment);
  if (vendor.provider === 'vertex') return google(vendor, read, environment);
  const given =
    text(params['api_key']) === '' ? resolve(`os.environ/${vendor.variable}`, environment) : read('api_key');
  // A server of one's own may need none.
  if (given.missing !== undefined && text(params['api_key']) === '' && text(params['api_base']) !== '')
    return { keys: [], options: {} };
  return { keys: given.value === '' ? [] : [given.value], options: {}, ...missingOf(given) };
}

function amazon(vendor: Vendor, read: (name: string) => Secret, environment: NodeJS.ProcessEnv): Credential {
  const region =
    read('aws_region_name').value || (environment['AWS_REGION_NAME'] ?? environment['AWS_REGION'] ?? 'us-east-1');
  const settings = { options: { region }, baseUrl: `https://bedrock-runtime.${region}.amazonaws.com` };
  const or = (given: Secret, variable: string): Secret =>
    given.value === '' && given.missing === undefined ? resolve(`os.environ/${variable}`, environment) : given;
  const bearer = or(read('api_key'), vendor.variable);
  if (bearer.value !== '') return { ...settings, keys: [bearer.value] };
  const access = or(read('aws_access_key_id'), 'AWS_ACCESS_KEY_ID');
  const secret = or(read('aws_secret_access_key'), 'AWS_SECRET_ACCESS_KEY');
  const session = or(read('aws_session_token'), 'AWS_SESSION_TOKEN');
  if (access.value === '' || secret.value === '')
    return { ...settings, keys: [], missing: access.missing ?? secret.missing ?? 'AWS_ACCESS_KEY_ID' };
  const pair = `${access.value}:${secret.value}`;
  return { ...settings, keys: [session.value === '' ? pair : `${pair}:${session.value}`] };
}

/** The service account is a file or its text. */
function google(vendor: Vendor, read: (name: string) => Secret, environment: NodeJS.ProcessEnv): Credential {
  const location = read('vertex_location').value || environment['VERTEXAI_LOCATION'] || 'us-central1';
  const project = read('vertex_project').value || environment['VERTEXAI_PROJECT'] || '';
  const settings = {
    options: { location, ...(project !== '' && { project }) },
    baseUrl:
      location === 'global' ? 'https://aiplatform.googleapis.com' : `https://${location}-aiplatform.googleapis.com`,
  };
  const given = read('vertex_credentials').value || (environment[vendor.variable] ?? '');
  const account = object(given.trimStart().startsWith('{') ? given : fileText(given));
  if (account === undefined) return { ...settings, keys: [], missing: given === '' ? vendor.variable : given };
  return { ...settings, keys: [JSON.stringify(account)] };
}

function fileText(path: string): string {
  try {
    return path === '' ? '' : readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function missingOf({ missing }: Secret): { missing?: string } {
  return missing === undefined ? {} : { missing };
}
