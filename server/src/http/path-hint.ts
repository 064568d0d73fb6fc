// The served path that somebody most likely meant who asked for one that is not: wrong base addresses are the commonest
// mistake of all.

/** Longer paths are no mistake of this kind. */
const MOST_PARTS = 12;
const API = /^\/(?:v1|v1beta|v2|rerank|operator)(?:\/|$)/;

/** The path without what stands before, between or behind too much, with or without `/v1`; undefined when none is served. */
export function pathHint(path: string, isLikely: (path: string) => boolean): string | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.length > MOST_PARTS) return undefined;
  for (let from = 0; from < parts.length; from++) {
    const rest = `/${parts.slice(from).join('/')}`;
    for (const candidate of [rest, `/v1${rest}`, `/v1beta${rest}`])
      if (candidate !== path && API.test(candidate) && isLikely(candidate)) return candidate;
  }
  return undefined;
}
