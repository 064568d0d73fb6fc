// Many connections that have asked once and now stay without a word, from several addresses. While they are there, one
// more connection goes on asking.
import type { Connection } from './connection.ts';
import { type Lane, sendOne } from './lane.ts';

const openedAtOnce = 64;
const perAddress = 500;

/** The n-th of many loopback addresses, so that one address has only so many connections. */
export function spreadAddress(index: number): string {
  const block = Math.floor(index / perAddress);
  return `127.0.${1 + Math.floor(block / 250)}.${1 + (block % 250)}`;
}

export async function openIdle(lanes: readonly Lane[]): Promise<void> {
  const left = [...lanes];
  const openSome = async (): Promise<void> => {
    for (let lane = left.pop(); lane !== undefined; lane = left.pop()) await sendOne(lane);
  };
  await Promise.all(Array.from({ length: openedAtOnce }, openSome));
}

export function countOpen(connections: readonly Connection[]): number {
  return connections.filter((connection) => connection.isOpen).length;
}
