// Whom a request acts for: the token, its account and its scopes, as one value that never changes.
import { readPatterns } from '../catalogue/model-patterns.ts';
import type { ModelScope } from '../catalogue/visible-models.ts';
import type { PrincipalRow } from '../store/queries/principals.ts';
import { type AddressMatcher, compileAddresses } from './addresses.ts';

export interface Principal extends ModelScope {
  tokenId: string;
  status: 'enabled' | 'disabled';
  /** Unix seconds; undefined = never. */
  expiresAt: number | undefined;
  /** Unix seconds; set when the key was rotated out and lives only for its grace. */
  keyEndsAt: number | undefined;
  /** undefined = any address. */
  ipAllow: AddressMatcher | undefined;
  rate: RatePolicy;
  /** Would rather be refused than lose a field in translation. */
  strict: boolean;
}

/** Each undefined = no limit. */
export interface RatePolicy {
  rpm: number | undefined;
  tpm: number | undefined;
  concurrency: number | undefined;
}

export function readPrincipal(row: PrincipalRow): Principal {
  const ipAllow = JSON.parse(row.ip_allow) as string[];
  return {
    tokenId: row.token_id,
    accountId: row.account_id,
    accountStatus: row.account_status,
    accountModels: readPatterns(row.account_models),
    tokenModels: readPatterns(row.token_models),
    group: row.token_group ?? row.account_group,
    mode: row.mode,
    status: row.token_status,
    expiresAt: row.expires_at ?? undefined,
    keyEndsAt: row.key_ends_at ?? undefined,
    ipAllow: ipAllow.length === 0 ? undefined : compileAddresses(ipAllow),
    rate: readRate(row.rate),
    strict: (JSON.parse(row.options) as { strict?: boolean }).strict === true,
  };
}

function readRate(text: string): RatePolicy {
  const stored = JSON.parse(text) as Partial<Record<keyof RatePolicy, number | null>>;
  return {
    rpm: stored.rpm ?? undefined,
    tpm: stored.tpm ?? undefined,
    concurrency: stored.concurrency ?? undefined,
  };
}
