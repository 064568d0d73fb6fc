// Who signs in as a member by OpenID Connect: bound at the first sign-in, so that an e-mail address that changes hands later
// does not bring the membership along.
import type { Migration } from './migration.ts';

export const memberIdentity: Migration = {
  name: '0130-member-identity',
  statements: () => [
    `alter table members add column oidc_issuer text`,
    `alter table members add column oidc_subject text`,
    `create unique index members_by_identity on members (oidc_issuer, oidc_subject)`,
  ],
};
