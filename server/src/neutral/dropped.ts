// Collects what a target cannot express, in the caller's own names (`x-tollgate-dropped`).
import type { SettingName, SettingPaths } from './generation.ts';

export class Dropped {
  readonly #paths = new Set<string>();
  readonly #settings: SettingPaths;

  /** `settings` are the caller's names of them. */
  constructor(settings: SettingPaths, unknown: Iterable<string> = []) {
    this.#settings = settings;
    for (const path of unknown) this.#paths.add(path);
  }

  setting(name: SettingName): void {
    this.#paths.add(this.#settings[name] ?? name);
  }

  /** A part, a message, a tool, or a field inside one. */
  path(path: string): void {
    this.#paths.add(path);
  }

  get paths(): readonly string[] {
    return [...this.#paths];
  }
}
