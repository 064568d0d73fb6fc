// The store and what must be true of it before anything else starts: the right master secret, the first data, an empty
// spool. The sandbox is here too, because the first data names its address.
import { join } from 'node:path';
import { emptySpool } from '../http/forms/spool.ts';
import { sealStoredHeaders } from '../operator/records/seal-stored-headers.ts';
import { type SandboxProvider, startSandbox } from '../sandbox/server.ts';
import { makeSecretBox } from '../shared/secret-box.ts';
import type { Store } from '../store/store.ts';
import { redactText } from '../telemetry/redact.ts';
import { ConfigError } from './settings/config-error.ts';
import { prepareData } from './first-start.ts';
import { checkMasterSecret, findMasterSecret, forgetMasterSecret, readMasterSecret } from './master-secret.ts';
import type { StartContext } from './start-context.ts';

export type Data = Awaited<ReturnType<typeof openData>>;

export async function openData(context: StartContext) {
  const { config, clock, logger, others, started } = context;
  const isNewSecret = findMasterSecret(config.secret, config.dataFolder) === undefined;
  const secretBox = makeSecretBox(readMasterSecret(config.secret, config.dataFolder));
  const store = await openStoreOrSay(context);
  started.add('the store', () => store.close());
  store.replica?.follow((problem) => {
    if (problem === undefined) logger.info('lists are read from the replica (DATABASE_READ_URL)');
    else logger.warn({ problem }, 'the replica (DATABASE_READ_URL) cannot be read: lists are read from the primary');
  });
  await checkMasterSecret(store, secretBox).catch((error: unknown) => {
    if (isNewSecret) forgetMasterSecret(config.dataFolder);
    throw error;
  });
  await sealStoredHeaders(store, secretBox);
  const sandbox =
    config.sandbox && others === undefined ? await startSandbox({ callbackHosts: config.privateHosts }) : undefined;
  started.add('the sandbox', () => sandbox?.stop());
  const sandboxUrl =
    sandbox === undefined ? others?.sandboxUrl : (provider: SandboxProvider) => sandbox.baseUrl(provider);
  const firstStart = await prepareData({ store, clock, secretBox, sandboxUrl, password: config.operatorPassword });
  const spoolFolder = join(config.dataFolder, 'spool');
  await emptySpool(spoolFolder);
  return { secretBox, store, sandbox, sandboxUrl, firstStart, spoolFolder };
}

async function openStoreOrSay({ config, openStore }: StartContext): Promise<Store> {
  try {
    return await openStore(config);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (config.databaseUrl === undefined)
      throw new ConfigError(`TOLLGATE_DATA_DIR cannot hold the database: ${message}.`);
    throw new ConfigError(`DATABASE_URL cannot be used: ${redactText(message || (code ?? 'no answer'))}.`);
  }
}
