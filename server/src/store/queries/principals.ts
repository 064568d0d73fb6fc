// Whom a key stands for: key, token and account in one indexed lookup.
import type { Reads } from '../store.ts';

const COLUMNS = [
  'tokens.id as token_id',
  'tokens.models as token_models',
  'tokens.group_name as token_group',
  'tokens.status as token_status',
  'tokens.ip_allow',
  'tokens.origins',
  'tokens.rate',
  'tokens.options',
  'tokens.expires_at',
  'tokens.mode',
  'accounts.id as account_id',
  'accounts.group_name as account_group',
  'accounts.models as account_models',
  'accounts.rate as account_rate',
  'accounts.status as account_status',
] as const;

export type PrincipalRow = NonNullable<Awaited<ReturnType<typeof findPrincipal>>>;

export async function findPrincipal(reads: Reads, keyHash: string) {
  return reads
    .selectFrom('token_keys')
    .innerJoin('tokens', 'tokens.id', 'token_keys.token_id')
    .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
    .select(['token_keys.ends_at as key_ends_at', ...COLUMNS])
    .where('token_keys.key_hash', '=', keyHash)
    .executeTakeFirst();
}

/** The same for work that a token has left behind, whatever its keys are now. */
export async function findPrincipalOfToken(reads: Reads, tokenId: string): Promise<PrincipalRow | undefined> {
  const row = await reads
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
    .select(COLUMNS)
    .where('tokens.id', '=', tokenId)
    .executeTakeFirst();
  return row && { ...row, key_ends_at: null };
}
