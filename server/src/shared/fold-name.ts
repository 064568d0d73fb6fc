// A name as readers take it that compare without case.

/** Upper case first: it also folds the long s (U+017F), which such readers take for an s. */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase();
}
