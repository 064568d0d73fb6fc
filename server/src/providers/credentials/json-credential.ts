// Credentials that are a JSON object in one line, read once for all requests that are signed with them.
import { createHash } from 'node:crypto';
import { asText, type JsonRecord, parseRecord } from '../../protocols/json/json-value.ts';
import { UpstreamError } from '../upstream-error.ts';

export interface ReadCredential<T> {
  value: T;
  /** Stands for the credential where its text must not. */
  id: string;
}

const MOST = 1_000;

export function isJson(credential: string): boolean {
  return credential.startsWith('{');
}

/** A reader that remembers what it has read. It throws an UpstreamError for what is no such credential. */
export function jsonCredential<T>(read: (fields: JsonRecord) => T): (credential: string) => ReadCredential<T> {
  const known = new Map<string, ReadCredential<T>>();
  return (credential) => {
    let found = known.get(credential);
    if (found === undefined) {
      const fields = parseRecord(credential);
      if (fields === undefined) throw badCredential('it is not JSON');
      found = { value: read(fields), id: createHash('sha256').update(credential).digest('base64') };
      if (known.size >= MOST) known.clear();
      known.set(credential, found);
    }
    return found;
  };
}

export function needField(fields: JsonRecord, name: string): string {
  const value = asText(fields[name]);
  if (value === undefined || value === '') throw badCredential(`it has no "${name}"`);
  return value;
}

export function badCredential(why: string): UpstreamError {
  return new UpstreamError('unauthorised', `the credential cannot be used: ${why}`);
}
