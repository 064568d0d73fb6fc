// Files of accounts: where their bytes are kept, and the sweeper that removes those whose time is over.
import { join } from 'node:path';
import type { BlobStore } from '../files/blob-store.ts';
import type { FileDependencies } from '../files/file-dependencies.ts';
import { FileSweeper } from '../files/file-sweeper.ts';
import { FolderBlobs } from '../files/folder-blobs.ts';
import type { InlineDependencies } from '../files/inline-files.ts';
import type { FileUse } from '../files/keep-file.ts';
import { proxiesOf } from './open-clients.ts';
import type { Data } from './open-data.ts';
import type { StartContext } from './start-context.ts';

export type Files = Awaited<ReturnType<typeof openFiles>>;

export async function openFiles(context: StartContext, { store }: Pick<Data, 'store'>) {
  const { config, clock, errors, started } = context;
  const files: FileDependencies & FileUse & InlineDependencies = {
    store,
    blobs: await openBlobs(context),
    clock,
    maxFileBytes: config.maxFileBytes,
    maxAccountBytes: config.accountFilesBytes,
    maxInlineBytes: config.maxBodyBytes,
  };
  const isUsed: FileUse['isUsed'] = async (keys) => (await files.isUsed?.(keys)) ?? new Set();
  const sweeper = new FileSweeper(files, { isUsed, onError: (error, what) => errors.tell(error, what) });
  started.add('the file sweeper', () => sweeper.stop());
  sweeper.start();
  return { files };
}

/** What speaks to a bucket is loaded only where there is one: it brings a second HTTP client into memory. */
async function openBlobs({ config, clock, started }: StartContext): Promise<BlobStore> {
  if (config.blobs === undefined) return new FolderBlobs(join(config.dataFolder, 'files'));
  const { S3Client } = await import('../files/s3/s3-client.ts');
  const { S3Blobs } = await import('../files/s3/s3-blobs.ts');
  const client = new S3Client(config.blobs, clock, proxiesOf(config));
  started.add('connections to the bucket', () => client.close());
  return new S3Blobs(client, config.blobs);
}
