// The served path that somebody most likely meant who asked for one that is not: wrong base addresses are the commonest
// mistake of all.

/** Longer paths are no mistake of this kind. */
const MOST_PARTS = 12;
const API = /^\/(?:v1|v1beta|v2|rerank|operator)(?:\/|$)/;
/** Paths of a vendor: what it calls a kind of task would be taken for a task's id elsewhere. */
const OF_VENDOR = 'kling';

/** The path without what stands before, between or behind too much, with or without `/v1`; undefined when none is served. */
export function pathHint(path: string, isServed: (path: string) => boolean): string | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.length > MOST_PARTS || parts[0] === OF_VENDOR) return undefined;
  for (let from = 0; from < parts.length; from++) {
    const rest = `/${parts.slice(from).join('/')}`;
    for (const candidate of [rest, `/v1${rest}`, `/v1beta${rest}`])
      if (candidate !== path && API.test(candidate) && isServed(candidate)) return candidate;
  }
  return undefined;
}
