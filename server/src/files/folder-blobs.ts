// Blobs in a folder. A blob is written beside its place, made durable and then renamed: after a crash it is there whole, or
// not at all.
import { open, mkdir, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { randomLetters } from '../shared/ids.ts';
import type { BlobEntry, BlobRange, BlobSource, BlobStore } from './blob-store.ts';

export class FolderBlobs implements BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(key: string, source: BlobSource): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const target = this.#pathOf(key);
    const draft = `${target}.${randomLetters(8)}.part`;
    try {
      await writeDurably(draft, source);
      await rename(draft, target);
      await syncFolder(this.#folder);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async open(key: string, range?: BlobRange): Promise<Readable | undefined> {
    try {
      const file = await open(this.#pathOf(key), 'r');
      return file.createReadStream(range);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async *list(): AsyncGenerator<BlobEntry> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const key of names) {
      const facts = await stat(this.#pathOf(key)).catch(() => undefined); // it may have gone meanwhile
      if (facts !== undefined) yield { key, changedAt: Math.floor(facts.mtimeMs / 1000) };
    }
  }

  #pathOf(key: string): string {
    return join(this.#folder, key);
  }
}

async function writeDurably(path: string, source: BlobSource): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let written = 0;
    for await (const piece of source.open()) {
      await file.writeFile(piece);
      written += piece.length;
    }
    if (written !== source.length) throw new Error(`a blob of ${source.length} bytes has ${written}`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The name of a new file is durable only then; where a folder cannot be opened (Windows) the system sees to it. */
async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined;
  try {
    folder = await open(path, 'r');
    await folder.sync();
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await folder?.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
