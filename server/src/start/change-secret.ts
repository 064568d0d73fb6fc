// Seals everything that is sealed with another master secret, in one transaction. Nodes must be stopped.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSecretBox, type SecretBox } from '../shared/secret-box.ts';
import { resealStore } from '../store/queries/reseal.ts';
import { openExistingStore, type StoreSettings } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { ConfigError } from './settings/config-error.ts';
import { checkMasterSecret, findMasterSecret } from './master-secret.ts';
import { requireStopped } from './require-stopped.ts';

export interface ChangeSecretSettings extends StoreSettings {
  /** TOLLGATE_SECRET; undefined where the data folder has the secret. */
  secret: string | undefined;
}

export interface SecretChanged {
  values: number;
  /** Where the new secret is; undefined where the operator has it. */
  file: string | undefined;
}

/** Without a new secret one is made, and put into the data folder. */
export async function changeSecret(settings: ChangeSecretSettings, given: string | undefined): Promise<SecretChanged> {
  await requireStopped(settings);
  const store = await openExistingStore(settings);
  try {
    if (given !== undefined) return { values: await resealOnce(store, settings, given), file: undefined };
    const file = join(settings.dataFolder, 'secret');
    const draft = `${file}.new`;
    // One is there of a change that was ended.
    if (!existsSync(draft))
      writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
    const next = readFileSync(draft, 'utf8').trim();
    const values = await resealOnce(store, settings, next);
    renameSync(draft, file);
    return { values, file };
  } finally {
    await store.close();
  }
}

/** A change that was ended may have come so far: then nothing is left to do. */
async function resealOnce(store: Store, { secret, dataFolder }: ChangeSecretSettings, next: string): Promise<number> {
  if (await isSealedWith(store, next)) return 0;
  const old = findMasterSecret(secret, dataFolder);
  if (old === undefined)
    throw new ConfigError(
      'TOLLGATE_SECRET is not set, and the data folder has no file `secret`: the old one is needed to open what is sealed.',
    );
  const from = makeSecretBox(old);
  await checkMasterSecret(store, from);
  return resealStore(store, { from, to: makeSecretBox(next) });
}

async function isSealedWith(store: Store, secret: string): Promise<boolean> {
  const box: SecretBox = makeSecretBox(secret);
  return checkMasterSecret(store, box).then(
    () => true,
    () => false,
  );
}
