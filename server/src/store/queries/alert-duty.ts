// One process of all evaluates the rules of alerts, or exports to a sink. Times are the database's own, so that nodes whose
// clocks differ agree.
import type { Reads, Store } from '../store.ts';

const EVALUATE = 'evaluate';

export interface Duty {
  owner: string;
  /** What is to be done by one process; the rules of alerts where it is not said. */
  name?: string;
}

/** Whether somebody else has the duty now. */
export async function isDutyTaken(
  reads: Reads,
  { owner, now, name = EVALUATE }: Duty & { now: number },
): Promise<boolean> {
  const row = await reads.selectFrom('alert_duty').selectAll().where('name', '=', name).executeTakeFirst();
  return row !== undefined && row.owner !== owner && row.ends_at > now;
}

/** Takes or renews the duty; false when somebody else has it. */
export async function takeDuty(
  store: Store,
  { owner, now, seconds, name = EVALUATE }: Duty & { now: number; seconds: number },
): Promise<boolean> {
  const ends_at = now + seconds;
  const row = await store.transaction((transaction) =>
    transaction
      .insertInto('alert_duty')
      .values({ name, owner, ends_at })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ owner, ends_at })
          .where((duty) => duty.or([duty('alert_duty.owner', '=', owner), duty('alert_duty.ends_at', '<=', now)])),
      )
      .returning('owner')
      .executeTakeFirst(),
  );
  return row !== undefined;
}

/** The next process need not wait for its end. */
export async function leaveDuty(store: Store, { owner, name = EVALUATE }: Duty): Promise<void> {
  await store.transaction((transaction) =>
    transaction.deleteFrom('alert_duty').where('name', '=', name).where('owner', '=', owner).execute(),
  );
}
