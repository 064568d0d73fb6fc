/** A package.json, as far as it is published. */
export interface Manifest {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  [field: string]: unknown;
}
/** The manifest without what the built programs do not name. */
export function trimManifest(manifest: Manifest, programs: string[]): Manifest;
