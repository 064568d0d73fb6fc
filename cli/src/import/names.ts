// Names as they may be written here. What has to be changed is changed the same way in every run.
import { createHash } from 'node:crypto';
import { groupName } from '#contract/values/text.ts';

/** A name on one line; an empty one gets what stands for it. */
export function nameOf(written: string, instead: string): string {
  const name = written
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, 100)
    .trim();
  return name === '' ? instead : name;
}

/** Two groups never become one, nor any the group `default`: each has a factor of its own that people pay. */
export function groupOf(written: string): string {
  if (groupName.safeParse(written).success) return written;
  const name = written
    .replaceAll(/[^\p{L}\p{N} ._:-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/-+$/, '')
    .slice(0, 50);
  const mark = createHash('sha256').update(written).digest('hex').slice(0, 6);
  return `${name === '' ? 'group' : name}-${mark}`;
}

/** Names in the order of their ids: the first keeps it, the others get their id behind it. */
export function distinctNames(rows: readonly { id: string; name: string }[]): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const { id, name } of rows) {
    const free = taken.has(name) ? `${name.slice(0, 100 - id.length - 2)} #${id}` : name;
    taken.add(free);
    names.set(id, free);
  }
  return names;
}
