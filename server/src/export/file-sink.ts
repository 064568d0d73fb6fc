// Exports into a folder. A file appears under its name when all of it is on the disk; a batch that is written again replaces
// its files by themselves.
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomLetters } from '../shared/ids.ts';
import { type BatchFile, filesOf } from './batch-files.ts';
import type { ExportBatch, ExportSink } from './sink.ts';

const UNFINISHED = '.unfinished';

export class FileSink implements ExportSink {
  readonly name: string;
  readonly #folder: string;

  constructor({ name, folder }: { name: string; folder: string }) {
    this.name = name;
    this.#folder = folder;
  }

  /** The folder, or where it would be made. */
  async check(): Promise<void> {
    for (let at = this.#folder; ; at = dirname(at)) {
      try {
        return await access(at, constants.W_OK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || at === dirname(at)) throw error;
      }
    }
  }

  /** Also tries whether files can be made. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const probe = join(this.#folder, `.probe-${randomLetters(8)}${UNFINISHED}`);
    await (await open(probe, 'w')).close();
    await rm(probe);
  }

  async write(batch: ExportBatch): Promise<void> {
    for await (const file of filesOf(batch)) await this.#writeFile(file, batch);
  }

  close(): void {}

  async #writeFile({ path, bytes }: BatchFile, { isRepeated }: ExportBatch): Promise<void> {
    const [table, date, hour, name] = path;
    const folder = join(this.#folder, table, date, hour);
    const made = await mkdir(folder, { recursive: true });
    if (isRepeated) await this.#removeUnfinished(folder, name);
    const draft = join(folder, `.${name}.${randomLetters(8)}${UNFINISHED}`);
    const handle = await open(draft, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, join(folder, name));
    // A new folder is an entry in the one above it.
    for (let at = folder; ; at = dirname(at)) {
      await flush(at);
      if (made === undefined || at === dirname(made)) break;
    }
  }

  /** Of a process that was killed while it wrote this very file. */
  async #removeUnfinished(folder: string, name: string): Promise<void> {
    const isLeft = (entry: string): boolean => entry.startsWith(`.${name}.`) && entry.endsWith(UNFINISHED);
    for (const entry of await readdir(folder)) if (isLeft(entry)) await rm(join(folder, entry), { force: true });
  }
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
