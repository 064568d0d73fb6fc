// Does the gateway answer? When it restarts, pages keep what they show, say so, and go on by themselves.
import { useSyncExternalStore } from 'react';
import { gatewayUrl } from './addresses.ts';

const LOOK_MS = 1500;

let isAway = false;
const listeners = new Set<() => void>();
const waiting = new Set<() => void>();

export function noteReached(): void {
  if (!isAway) return;
  isAway = false;
  for (const go of waiting) go();
  waiting.clear();
  publish();
}

/** Looks again until it answers. */
export function noteUnreachable(): void {
  if (isAway) return;
  isAway = true;
  publish();
  void look();
}

export async function whenReached(): Promise<void> {
  if (!isAway) return;
  await new Promise<void>((resolve) => waiting.add(resolve));
}

/** True when it answers at this moment. */
export async function isReachable(): Promise<boolean> {
  try {
    return (await fetch(`${gatewayUrl}/healthz`, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

export function useIsAway(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isAway,
  );
}

async function look(): Promise<void> {
  while (isAway) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (await isReachable()) noteReached();
  }
}

function publish(): void {
  for (const listener of listeners) listener();
}
