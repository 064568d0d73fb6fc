// The secret that upstream keys are sealed with: given by the operator, or made once in the data folder. A database set up
// with another one is refused, before anything is written that could not be read again.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './settings/config-error.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import type { Store } from '../store/store.ts';

const CHECK_KEY = 'secret_check';
const CHECK_TEXT = 'tollgate';

const FILE = 'secret';

/** undefined where none was given or made so far. */
export function findMasterSecret(given: string | undefined, dataFolder: string): string | undefined {
  return given ?? (existsSync(join(dataFolder, FILE)) ? readMasterSecret(undefined, dataFolder) : undefined);
}

/** One that was just made and does not fit the database is nobody's: it must not be kept for the right one. */
export function forgetMasterSecret(dataFolder: string): void {
  rmSync(join(dataFolder, FILE), { force: true });
}

export function readMasterSecret(given: string | undefined, dataFolder: string): string {
  if (given !== undefined) return given;
  try {
    return readSecretFile(dataFolder);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`TOLLGATE_DATA_DIR cannot be used: ${(error as Error).message}.`);
  }
}

function readSecretFile(dataFolder: string): string {
  const file = join(dataFolder, FILE);
  if (!existsSync(file)) {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    makeSecretFile(file);
  }
  chmodSync(file, 0o600);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 16)
    throw new ConfigError(`TOLLGATE_SECRET is unset and ${file} holds no secret; restore it from a backup.`);
  return secret;
}

/** Whole or not at all: a process that starts at the same moment must never read half a secret. */
function makeSecretFile(file: string): void {
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was faster: its secret counts
  } finally {
    unlinkSync(draft);
  }
}

export async function checkMasterSecret(store: Store, secretBox: SecretBox): Promise<void> {
  const sealed = await store.transaction(async (transaction) => {
    await transaction
      .insertInto('meta')
      .values({ key: CHECK_KEY, value: secretBox.seal(CHECK_TEXT) })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    return transaction.selectFrom('meta').select('value').where('key', '=', CHECK_KEY).executeTakeFirstOrThrow();
  });
  if (opens(secretBox, sealed.value)) return;
  throw new ConfigError(
    'TOLLGATE_SECRET is not the one this database was set up with, and the upstream keys in it cannot be read: set it to that ' +
      'of the other nodes, or copy the file `secret` from the data folder of the first node, or of the data that a backup was made of.',
  );
}

/** Without a change. true also where nothing is sealed yet. */
export async function opensStore({ reads }: Pick<Store, 'reads'>, secretBox: SecretBox | undefined): Promise<boolean> {
  const sealed = await reads.selectFrom('meta').select('value').where('key', '=', CHECK_KEY).executeTakeFirst();
  return sealed === undefined || (secretBox !== undefined && opens(secretBox, sealed.value));
}

function opens(secretBox: SecretBox, sealed: string): boolean {
  try {
    return secretBox.open(sealed) === CHECK_TEXT;
  } catch {
    return false;
  }
}
