// Who sends next: the slots of a process shared by the accounts that have something to send. An account whose receivers are
// slow has half of them at most, and the last ones are for accounts that have none.
export interface DueAccount {
  id: string;
  /** Deliveries of this account under way. */
  running: number;
}

export const SLOTS = 32;
const MOST_OF_ONE = 16;
/** Kept for accounts with nothing under way. */
const KEPT = 8;

/** How many deliveries each account may begin, given in turn; accounts without any are left out. */
export function shareSlots(accounts: readonly DueAccount[], running: number): Map<string, number> {
  const shares = new Map<string, number>();
  let taken = running;
  for (let isGiven = true; isGiven && taken < SLOTS;) {
    isGiven = false;
    for (const { id, running: own } of accounts) {
      const share = shares.get(id) ?? 0;
      const most = taken < SLOTS - KEPT ? MOST_OF_ONE : 1;
      if (taken >= SLOTS || own + share >= most) continue;
      shares.set(id, share + 1);
      taken++;
      isGiven = true;
    }
  }
  return shares;
}
