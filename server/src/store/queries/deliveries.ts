// Queues of deliveries, until their receivers have taken them: to the webhooks of accounts, and to the sinks of alerts.
import type { SelectQueryBuilder, UpdateObject } from 'kysely';
import type { Reads, Store } from '../store.ts';
import type { Tables, WebhookDeliveriesTable } from '../tables.ts';
import { claimRows } from './rows.ts';

/** Whose deliveries each queue has. */
const OWNERS = { webhook_deliveries: 'account_id', alert_deliveries: 'sink_id' } as const;

type Queue = keyof typeof OWNERS;
type Column = (typeof OWNERS)[Queue];
type Due<Table extends Queue> = SelectQueryBuilder<Tables, Table, { id: string }>;

export interface DeliveryClaim {
  owner: string;
  dueAt: number;
  /** When the next reader sees them: only when this attempt is surely over. */
  until: number;
  limit: number;
}

export type DeliveryChanges = Pick<
  WebhookDeliveriesTable,
  'status' | 'attempts' | 'log' | 'next_attempt_at' | 'completed_at'
>;

/** When the first is due; undefined when all have ended. Asked often, so it only reads. */
export async function firstAttemptAt(reads: Reads, queue: Queue): Promise<number | undefined> {
  const first = await reads
    .selectFrom(queue)
    .select('next_attempt_at')
    .where('completed_at', 'is', null)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  return first?.next_attempt_at;
}

/** Takes deliveries of an owner that are due, by moving them on. `narrow` leaves out those that have to wait. */
export async function claimDeliveries<Table extends Queue>(
  store: Store,
  table: Table,
  { owner, dueAt, until, limit }: DeliveryClaim,
  narrow: (due: Due<Table>) => Due<Table> = (due) => due,
) {
  return store.transaction((transaction) => {
    const due = transaction
      .selectFrom<Queue>(table)
      .select('id')
      .where('completed_at', 'is', null)
      .where<Column, string>(OWNERS[table], '=', owner)
      .where('next_attempt_at', '<=', dueAt)
      .orderBy('next_attempt_at')
      .limit(limit) as unknown as Due<Table>;
    const set = () => ({ next_attempt_at: until }) as unknown as UpdateObject<Tables, Table>;
    return claimRows(store, transaction, { table, free: narrow(due), set });
  });
}
