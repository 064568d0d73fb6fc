// backup, restore and move: the whole data of a gateway, checked by reconcile on both sides (contract-2 11).
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { productVersion } from '../shared/product-version.ts';
import {
  BackupBroken,
  type BackupEnd,
  type BackupHead,
  type BackupLine,
  BackupWriter,
  openBackup,
} from '../store/copy/backup-file.ts';
import { loadStore, openSnapshot } from '../store/copy/copy-store.ts';
import { type LoadOptions, LoadRefused } from '../store/copy/load.ts';
import type { Row, Snapshot, TableOfSnapshot } from '../store/copy/snapshot.ts';
import { migrations } from '../store/migrations/index.ts';
import type { StoreSettings } from '../store/open-store.ts';
import { asText, checkStore } from './check-books.ts';
import { Tally } from './copy-tally.ts';
import { requireStopped } from './require-stopped.ts';

/** Folders of the data folder whose files belong to rows of the store. */
const FOLDERS = ['files', 'videos'];

export interface CopyResult {
  tables: number;
  rows: number;
  files: number;
  books: Record<string, string>;
}

/** Called with the rows so far and all of them. */
export type OnProgress = (done: number, all: number) => void;

interface CopyOptions extends LoadOptions {
  onProgress: OnProgress;
}

/** The books do not agree, or data is in the way. */
export class CopyRefused extends Error {
  override name = 'CopyRefused';
}

export async function backUp(
  settings: StoreSettings,
  file: string,
  { storeName, force, onProgress, onStage }: CopyOptions & { storeName: string },
): Promise<CopyResult> {
  if (existsSync(file) && !force) throw new CopyRefused(`${file} exists; --force replaces it`);
  onStage('checking the books');
  await requireBooks(settings);
  const snapshot = await openSnapshot(settings);
  const draft = `${file}.part`;
  try {
    const writer = new BackupWriter(draft, {
      tollgate_backup: 1,
      version: productVersion,
      store: storeName,
      made_at: new Date().toISOString(),
      migrations: snapshot.migrations,
    });
    const tally = new Tally();
    for await (const { table, rows } of readAll(snapshot, onProgress)) {
      await writer.write({ table });
      for await (const some of rows) {
        tally.add(table, some);
        await writer.write({ rows: some });
      }
    }
    const files = await writeFiles(writer, settings.dataFolder);
    const result = { tables: snapshot.tables.length, rows: tally.rows, files, books: tally.books };
    await writer.end(result);
    renameSync(draft, file);
    return result;
  } finally {
    rmSync(draft, { force: true });
    await snapshot.close();
  }
}

export async function restore(
  settings: StoreSettings,
  file: string,
  { force, onProgress, onStage }: CopyOptions,
): Promise<CopyResult & { head: BackupHead }> {
  if (!existsSync(file)) throw new CopyRefused(`there is no ${file}`);
  await requireStopped(settings);
  const { head, lines } = await openBackup(file);
  const known = head.migrations.map((name) => migrations.find((migration) => migration.name === name));
  if (known.includes(undefined))
    throw new CopyRefused(`the backup is of a newer version (${head.version}) than this one (${productVersion})`);
  const reader = new BackupTables(lines, settings.dataFolder, onProgress);
  await loadRefusing(
    settings,
    { migrations: known.filter((one) => one !== undefined), tables: () => reader.tables() },
    { force, onStage },
  );
  onStage('checking the books of the copy');
  const end = reader.end ?? { tables: 0, rows: 0, files: 0, books: {} };
  return { ...end, books: await compareBooks(settings, end.books), head };
}

export async function move(
  from: StoreSettings,
  to: StoreSettings,
  { force, onProgress, onStage }: CopyOptions,
): Promise<CopyResult> {
  await requireStopped(from);
  await requireStopped(to);
  onStage('checking the books');
  await requireBooks(from);
  const snapshot = await openSnapshot(from);
  const tally = new Tally();
  try {
    async function* tables() {
      for await (const { table, rows } of readAll(snapshot, onProgress))
        yield { table, rows: tally.watch(table, rows) };
    }
    await loadRefusing(to, { migrations, tables }, { force, onStage });
  } finally {
    await snapshot.close();
  }
  onStage('checking the books of the copy');
  const result = { tables: snapshot.tables.length, rows: tally.rows, files: 0 };
  return { ...result, books: await compareBooks(to, tally.books) };
}

async function* readAll(
  snapshot: Snapshot,
  onProgress: OnProgress,
): AsyncGenerator<{ table: TableOfSnapshot; rows: AsyncIterable<Row[]> }> {
  const all = snapshot.tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  async function* counted(table: TableOfSnapshot): AsyncGenerator<Row[]> {
    for await (const rows of snapshot.read(table)) {
      yield rows;
      done += rows.length;
      onProgress(done, all);
    }
  }
  for (const table of snapshot.tables) yield { table, rows: counted(table) };
}

async function loadRefusing(
  settings: StoreSettings,
  source: Parameters<typeof loadStore>[1],
  options: LoadOptions,
): Promise<void> {
  try {
    await loadStore(settings, source, options);
  } catch (error) {
    throw error instanceof LoadRefused ? new CopyRefused(error.message, { cause: error }) : error;
  }
}

/** The tables of a backup as they stand in the file; its files are put into the data folder on the way. */
class BackupTables {
  readonly #lines: AsyncGenerator<BackupLine>;
  readonly #dataFolder: string;
  readonly #onProgress: OnProgress;
  /** Read, and of the next table or of the files. */
  #next: BackupLine | undefined;
  end: BackupEnd | undefined;

  constructor(lines: AsyncGenerator<BackupLine>, dataFolder: string, onProgress: OnProgress) {
    this.#lines = lines;
    this.#dataFolder = dataFolder;
    this.#onProgress = onProgress;
  }

  async *tables(): AsyncGenerator<{ table: TableOfSnapshot; rows: AsyncIterable<Row[]> }> {
    let [tables, rows, files] = [0, 0, 0];
    for (let line = await this.#take(); line !== undefined; line = await this.#take()) {
      if ('table' in line) {
        const { table } = line;
        tables += 1;
        yield { table, rows: this.#rows(table, (count) => (rows += count)) };
      } else if ('file' in line) {
        files += 1;
        await this.#writeFile(line.file, line.size);
      } else if ('end' in line) {
        this.end = line.end;
      } else throw new BackupBroken('the backup has rows without a table');
    }
    const { end } = this;
    if (end === undefined || end.tables !== tables || end.rows !== rows || end.files !== files)
      throw new BackupBroken('the backup holds another number of rows than it says: make it again');
  }

  async *#rows(table: TableOfSnapshot, onRows: (count: number) => void): AsyncGenerator<Row[]> {
    let done = 0;
    for (let line = await this.#take(); line !== undefined; line = await this.#take()) {
      if (!('rows' in line)) {
        this.#next = line;
        return;
      }
      onRows(line.rows.length);
      done += line.rows.length;
      this.#onProgress(done, table.rows);
      yield line.rows;
    }
  }

  async #writeFile(name: string, size: number): Promise<void> {
    if (!FOLDERS.some((folder) => name.startsWith(`${folder}/`)) || name.includes('..'))
      throw new BackupBroken(`the backup names a file that it must not hold: ${name}`);
    const path = join(this.#dataFolder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const target = createWriteStream(path, { mode: 0o600, flush: true });
    let written = 0;
    for (let line = await this.#take(); line !== undefined; line = await this.#take()) {
      if (!('bytes' in line)) {
        this.#next = line;
        break;
      }
      written += line.bytes.length;
      target.write(line.bytes);
    }
    target.end();
    await finished(target);
    if (written !== size) throw new BackupBroken(`the backup has ${written} of ${size} bytes of ${name}`);
  }

  async #take(): Promise<BackupLine | undefined> {
    const kept = this.#next;
    this.#next = undefined;
    if (kept !== undefined) return kept;
    const { done, value } = await this.#lines.next();
    return done === true ? undefined : value;
  }
}

async function writeFiles(writer: BackupWriter, dataFolder: string): Promise<number> {
  let files = 0;
  for (const folder of FOLDERS) {
    if (!existsSync(join(dataFolder, folder))) continue;
    const entries = readdirSync(join(dataFolder, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile() || entry.name.endsWith('.part')) continue;
      const path = join(entry.parentPath, entry.name);
      const name = relative(dataFolder, path).replaceAll('\\', '/');
      const { size } = statSync(path);
      await writer.write({ file: name, size });
      if (size > 0)
        for await (const bytes of createReadStream(path, { end: size - 1, highWaterMark: 192 * 1024 }))
          await writer.write({ bytes: bytes as Buffer });
      files += 1;
    }
  }
  return files;
}

async function requireBooks(settings: StoreSettings): Promise<Record<string, string>> {
  const { books, problems } = await checkStore(settings);
  const [problem] = problems;
  if (problem !== undefined && problem.check !== 'overdue')
    throw new CopyRefused(
      `the books do not agree (${problem.check} ${problem.id}: ${problem.detail}); run "tollgate reconcile"`,
    );
  return asText(books);
}

/** Of what was loaded: they agree, and are those of where it comes from. */
async function compareBooks(
  settings: StoreSettings,
  expected: Record<string, string>,
): Promise<Record<string, string>> {
  const books = await requireBooks(settings);
  for (const [name, value] of Object.entries(expected))
    if (books[name] !== value)
      throw new CopyRefused(`the sums differ: ${name} was ${value} and is ${books[name] ?? 'missing'} now`);
  return books;
}
