// Removes files whose time is over, and blobs that have no row: what an interrupted upload or delete left behind.
import { Rounds } from '../shared/rounds.ts';
import { deleteExpired, knownFiles } from '../store/queries/files.ts';
import type { FileDependencies } from './file-dependencies.ts';

export interface FileSweeperSettings {
  /** Blobs of these keys are in use although no file has them. */
  isUsed?(keys: readonly string[]): Promise<ReadonlySet<string>>;
  onError(error: unknown, what: string): void;
}

const ROUND_MS = 60_000;
/** Listing a bucket costs, and orphans are rare. */
const ORPHANS_EVERY = 60;
/** An upload that takes longer than this was given up. */
const ORPHAN_SECONDS = 6 * 3_600;
const AT_ONCE = 200;

export class FileSweeper {
  readonly #dependencies: FileDependencies;
  readonly #settings: FileSweeperSettings;
  readonly #rounds = new Rounds(() => this.#round());
  #count = 0;

  constructor(dependencies: FileDependencies, settings: FileSweeperSettings) {
    this.#dependencies = dependencies;
    this.#settings = settings;
  }

  start(): void {
    this.#rounds.start(ROUND_MS);
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
  }

  async #round(): Promise<number> {
    try {
      await this.removeExpired();
      if (this.#count++ % ORPHANS_EVERY === 0) await this.removeOrphans();
    } catch (error) {
      this.#settings.onError(error, 'files could not be swept');
    }
    return ROUND_MS;
  }

  /** The row goes first: a file is gone as soon as nobody can find it. */
  async removeExpired(): Promise<void> {
    const { store, blobs } = this.#dependencies;
    for (;;) {
      const ids = await deleteExpired(store, await store.now(), AT_ONCE);
      const used = await this.#used(ids);
      for (const id of ids) if (!used.has(id)) await blobs.remove(id);
      if (ids.length < AT_ONCE) return;
    }
  }

  async removeOrphans(): Promise<void> {
    const { store, blobs } = this.#dependencies;
    const before = (await store.now()) - ORPHAN_SECONDS;
    let old: string[] = [];
    const removeUnknown = async (): Promise<void> => {
      const known = await knownFiles(store.reads, old);
      const used = await this.#used(old);
      for (const key of old) if (!known.has(key) && !used.has(key)) await blobs.remove(key);
      old = [];
    };
    for await (const { key, changedAt } of blobs.list()) {
      if (changedAt < before) old.push(key);
      if (old.length === AT_ONCE) await removeUnknown();
    }
    if (old.length > 0) await removeUnknown();
  }

  async #used(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return (await this.#settings.isUsed?.(keys)) ?? new Set();
  }
}
