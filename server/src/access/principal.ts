// Whom a request acts for: the token, its account and its scopes, as one value that never changes.
import { type ModelScope, readPatterns } from '../catalogue/visible-models.ts';
import type { PrincipalRow } from '../store/queries/principals.ts';
import { type AddressMatcher, compileAddresses } from './addresses.ts';
import { limitsAnything, type RateSubject, readRatePolicy } from './rate-limit/rate-store.ts';

export interface Principal extends ModelScope {
  tokenId: string;
  status: 'enabled' | 'disabled';
  /** Unix seconds; undefined = never. */
  expiresAt: number | undefined;
  /** Unix seconds; set when the key was rotated out and lives only for its grace. */
  keyEndsAt: number | undefined;
  /** undefined = any address. */
  ipAllow: AddressMatcher | undefined;
  /** Pages that may use it; undefined = any. */
  origins: readonly string[] | undefined;
  /** Token and account, as far as a policy limits them. */
  rateSubjects: readonly RateSubject[];
  /** Would rather be refused than lose a field in translation. */
  strict: boolean;
  /** Would rather have a shorter answer than none when money runs out. */
  fitBalance: boolean;
  /** Which of its requests are kept with their bodies; undefined = none. */
  storeBodies: 'errors' | 'all' | undefined;
}

export function readPrincipal(row: PrincipalRow): Principal {
  const origins = JSON.parse(row.origins) as string[];
  const ipAllow = JSON.parse(row.ip_allow) as string[];
  const options = JSON.parse(row.options) as {
    strict?: boolean;
    fit_balance?: boolean;
    store_bodies?: 'off' | 'errors' | 'all';
  };
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
    origins: origins.length === 0 ? undefined : origins,
    rateSubjects: subjectsOf(row),
    strict: options.strict === true,
    fitBalance: options.fit_balance === true,
    storeBodies: options.store_bodies === 'off' ? undefined : options.store_bodies,
  };
}

/** Test calls are counted apart from live ones. */
function subjectsOf({ mode, token_id, rate, account_id, account_rate }: PrincipalRow): RateSubject[] {
  return [
    { key: `${mode}:{${account_id}}:${token_id}`, rate: readRatePolicy(rate) },
    { key: `${mode}:{${account_id}}`, rate: readRatePolicy(account_rate) },
  ].filter((subject) => limitsAnything(subject.rate));
}
