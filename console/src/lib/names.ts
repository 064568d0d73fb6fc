// Names of accounts, tokens and channels by their ids. Lists bring those of their rows along; what is still missing is asked
// for once, many together.
import { useSyncExternalStore } from 'react';
import { namesAnswer } from '#contract/search.ts';
import { callApi } from './api-client.ts';

/** A gateway may have a hundred thousand accounts: only what is shown is known. */
export type Names = Pick<ReadonlyMap<string, string>, 'get'>;

const AT_ONCE = 100;
/** What is named here; the names of models and groups are their ids. */
const NAMED = /^(?:acc|tok|chn)_/;

const known = new Map<string, string>();
/** Asked for already; those that do not exist are not asked for again. */
const asked = new Set<string>();
let waiting: string[] = [];
let version = 0;
const listeners = new Set<() => void>();

export function rememberNames(names: Readonly<Record<string, string>> | undefined): void {
  let isNew = false;
  for (const [id, name] of Object.entries(names ?? {})) {
    if (known.get(id) === name) continue;
    known.set(id, name);
    isNew = true;
  }
  if (isNew) publish();
}

/** What one operator saw is not the next one's. */
export function forgetNames(): void {
  known.clear();
  asked.clear();
  waiting = [];
  publish();
}

export function useNames(): Names {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );
  return names;
}

const names: Names = {
  get(id) {
    const name = known.get(id);
    if (name === undefined && NAMED.test(id) && !asked.has(id)) ask(id);
    return name;
  },
};

function ask(id: string): void {
  asked.add(id);
  waiting.push(id);
  if (waiting.length === 1) setTimeout(() => void askForWaiting(), 20);
}

async function askForWaiting(): Promise<void> {
  const ids = waiting;
  waiting = [];
  // Names may have come with rows meanwhile.
  const missing = ids.filter((id) => !known.has(id) && !id.includes(','));
  for (let start = 0; start < missing.length; start += AT_ONCE) {
    const some = missing.slice(start, start + AT_ONCE);
    try {
      const answer = await callApi('GET', '/names', { schema: namesAnswer, query: { ids: some.join(',') } });
      rememberNames(answer.names);
    } catch {
      for (const id of some) asked.delete(id); // asked for again when next shown
    }
  }
}

function publish(): void {
  version++;
  for (const listener of listeners) listener();
}
