// Holds the bytes of one body: small ones in memory, others in a file that has no name any more once it is open, so that
// they vanish with the process at the latest.
import { readSync } from 'node:fs';
import { mkdir, open, readdir, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { randomLetters } from '../../shared/ids.ts';

const FILE_NAME = /^tollgate-form-(\d+)-[0-9A-Za-z]{20}\.spool$/u;
const FIRST_BYTES = 16 * 1024;
/** Files that could not be unlinked while open, as on some Windows file systems. */
const named = new Set<string>();

export class Spool {
  readonly #folder: string;
  readonly #memoryBytes: number;
  #memory: Buffer = Buffer.alloc(0);
  #file: FileHandle | undefined;
  #path: string | undefined;
  #busy: Promise<void> = Promise.resolve();
  #discarded: Promise<void> | undefined;
  #length = 0;

  constructor(folder: string, memoryBytes: number) {
    this.#folder = folder;
    this.#memoryBytes = memoryBytes;
  }

  /** What is read is a copy then. */
  get isOnDisk(): boolean {
    return this.#file !== undefined;
  }

  get length(): number {
    return this.#length;
  }

  /** A promise when the disk is to be waited for before the next write. */
  write(chunk: Buffer): Promise<void> | undefined {
    if (this.#file === undefined && this.#length + chunk.length <= this.#memoryBytes) {
      this.#keep(chunk);
      return undefined;
    }
    this.#busy = this.#append(chunk);
    return this.#busy;
  }

  /** Reads from the disk into the given buffer, if any. */
  async read(start: number, end: number, buffer?: Buffer): Promise<Buffer> {
    this.#check(start, end);
    if (this.#file === undefined) return this.#memory.subarray(start, end);
    const bytes = buffer?.subarray(0, end - start) ?? Buffer.allocUnsafe(end - start);
    for (let done = 0; done < bytes.length;) {
      this.#check(start, end);
      const { bytesRead } = await this.#file.read(bytes, done, bytes.length - done, start + done);
      if (bytesRead === 0) throw new Error('the spool file is shorter than the body');
      done += bytesRead;
    }
    return bytes;
  }

  /** For a few bytes that were written just now. */
  readNow(start: number, end: number): Buffer {
    this.#check(start, end);
    if (this.#file === undefined) return this.#memory.subarray(start, end);
    const bytes = Buffer.allocUnsafe(end - start);
    const bytesRead = readSync(this.#file.fd, bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  }

  /** Lets reads and writes under way end, then gives the bytes up. */
  discard(): Promise<void> {
    this.#discarded ??= this.#remove();
    return this.#discarded;
  }

  async #remove(): Promise<void> {
    await this.#busy.catch(() => {});
    this.#memory = Buffer.alloc(0);
    await this.#file?.close();
    if (this.#path === undefined) return;
    await unlink(this.#path).catch(() => {});
    named.delete(this.#path);
  }

  #keep(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#memory.length) {
      const size = Math.min(this.#memoryBytes, Math.max(length, 2 * this.#memory.length, FIRST_BYTES));
      const larger = Buffer.allocUnsafeSlow(size);
      this.#memory.copy(larger, 0, 0, this.#length);
      this.#memory = larger;
    }
    chunk.copy(this.#memory, this.#length);
    this.#length = length;
  }

  async #append(chunk: Buffer): Promise<void> {
    if (this.#file === undefined) {
      this.#file = await this.#create();
      await this.#file.writeFile(this.#memory.subarray(0, this.#length));
      this.#memory = Buffer.alloc(0);
    }
    await this.#file.writeFile(chunk); // goes on where the last write ended
    this.#length += chunk.length;
  }

  async #create(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `tollgate-form-${process.pid}-${randomLetters(20)}.spool`);
    const file = await open(path, 'wx+', 0o600);
    await unlink(path).catch(() => {
      this.#path = path;
      named.add(path);
    });
    return file;
  }

  #check(start: number, end: number): void {
    if (this.#discarded !== undefined) throw new Error('the form was discarded');
    if (start < 0 || end < start || end > this.#length) throw new RangeError(`no bytes ${start}-${end} in the form`);
  }
}

/** Removes what processes that have ended left in the folder; their number may be that of this process by now. */
export async function emptySpool(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const pid = Number(FILE_NAME.exec(name)?.[1] ?? Number.NaN);
    const path = join(folder, name);
    if (Number.isNaN(pid) || named.has(path) || (pid !== process.pid && isAlive(pid))) continue;
    await unlink(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
