// A Google service account: its key signs a short assertion, and that becomes a bearer token (RFC 7523). The address in the
// uploaded file is not asked: a file must not choose where an assertion goes.
// https://developers.google.com/identity/protocols/oauth2/service-account
import { createPrivateKey, type KeyObject, sign as signBytes } from 'node:crypto';
import { asText } from '../../protocols/json/json-value.ts';
import { type Clock, unixSeconds } from '../../shared/clock.ts';
import { badCredential, jsonCredential, needField } from './json-credential.ts';
import { tokenOrKey } from './token-or-key.ts';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const LIFE_SECONDS = 3_600;

export interface ServiceAccount {
  email: string;
  key: KeyObject;
  keyId: string | undefined;
  /** The project that the account belongs to. */
  project: string | undefined;
}

export const readServiceAccount = jsonCredential((fields): ServiceAccount => {
  const email = needField(fields, 'client_email');
  const key = openKey(needField(fields, 'private_key'));
  return { email, key, keyId: asText(fields['private_key_id']), project: asText(fields['project_id']) };
});

export const serviceAccountOrKey = tokenOrKey('x-goog-api-key', {
  read: readServiceAccount,
  urlOf: () => TOKEN_URL,
  ask(account, clock) {
    const assertion = writeAssertion(account, clock);
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
    return { form, secrets: [assertion] };
  },
});

function writeAssertion({ email, key, keyId }: ServiceAccount, clock: Clock): string {
  const now = unixSeconds(clock);
  const head = { alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) };
  const claims = { iss: email, scope: SCOPE, aud: TOKEN_URL, iat: now, exp: now + LIFE_SECONDS };
  const text = `${encode(head)}.${encode(claims)}`;
  return `${text}.${signBytes('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function openKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // the reason would show parts of the key
  }
  throw badCredential('"private_key" is no RSA key in PEM form');
}
