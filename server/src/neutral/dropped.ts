// Collects what a target cannot express, or not as it was asked for, in the caller's own names (`x-tollgate-dropped`).
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

  /** The nearest value that the target takes; named where that is another than was asked for. */
  clamped(name: SettingName, value: number, { least = -Infinity, most = Infinity }): number {
    const taken = Math.min(most, Math.max(least, value));
    if (taken !== value) this.setting(name);
    return taken;
  }

  /** What the target calls it; named where it has no word for that. */
  word(
    name: SettingName,
    value: string | undefined,
    words: ReadonlyMap<string, string | undefined>,
  ): string | undefined {
    if (value === undefined) return undefined;
    if (!words.has(value)) this.setting(name);
    return words.get(value);
  }

  /** A part, a message, a tool, or a field inside one. */
  path(path: string): void {
    this.#paths.add(path);
  }

  get paths(): readonly string[] {
    return [...this.#paths];
  }
}
