// Changes that the operator wants although somebody has changed the same thing meanwhile.
const wanted = new Set<string>();

/** The next change of this address is made whatever is there. */
export function overwriteNext(target: string): void {
  wanted.add(target);
}

export function takeOverwrite(target: string): boolean {
  return wanted.delete(target);
}
