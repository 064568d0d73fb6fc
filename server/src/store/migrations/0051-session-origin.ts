// How the operator of a session signed in: with the password of the gateway, or through an OpenID Connect issuer.
import type { Migration } from './migration.ts';

export const sessionOrigin: Migration = {
  name: '0051-session-origin',
  statements: () => ["alter table sessions add column signed_in_by text not null default 'password'"],
};
