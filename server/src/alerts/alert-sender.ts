// Delivers alerts to their sinks, until each has taken them or the attempts are used up.
import { CLAIM_MS, afterAttempt, DeliverySender, timedAttempt } from '../deliveries/delivery-sender.ts';
import type { Clock } from '../shared/clock.ts';
import {
  type AlertDeliveryRow,
  type AlertSinkRow,
  claimSinkDeliveries,
  dueSinks,
  findSink,
  insertDeliveries,
  updateSinkDelivery,
} from '../store/queries/alert-sinks.ts';
import { firstAttemptAt } from '../store/queries/deliveries.ts';
import type { Store } from '../store/store.ts';
import { makeDelivery } from './alert-event.ts';
import { type SinkDependencies, sendToSink } from './sinks/send-to-sink.ts';

export interface AlertSenderDependencies extends SinkDependencies {
  store: Store;
  clock: Clock;
  onError(error: unknown, what: string): void;
}

export class AlertSender extends DeliverySender<AlertDeliveryRow> {
  constructor(dependencies: AlertSenderDependencies) {
    const { store, clock, onError } = dependencies;
    super({
      clock,
      onError,
      name: 'alerts',
      queue: {
        firstAttemptAt: () => firstAttemptAt(store.reads, 'alert_deliveries'),
        dueOwners: (asked) => dueSinks(store.reads, asked),
        claim: (asked) => claimSinkDeliveries(store, asked),
        ownerOf: ({ sink_id }) => sink_id,
        async attempt(delivery, context) {
          const sink = await findSink(store.reads, delivery.sink_id);
          if (sink === undefined || sink.status !== 'enabled') return { status: null, error: 'the sink is off' };
          return sendToSink(dependencies, sink, delivery, context);
        },
        update: (id, changes) => updateSinkDelivery(store, id, changes),
      },
    });
  }
}

/** Sends a test now, once; resolves with its line of the log. */
export async function testSink(dependencies: AlertSenderDependencies, sink: AlertSinkRow): Promise<AlertDeliveryRow> {
  const { store, clock } = dependencies;
  const now = clock.now();
  const seconds = Math.floor(now / 1000);
  const alert = {
    id: 'alr_test',
    rule: 'channel_down',
    severity: 'warning',
    subject_kind: 'channel',
    subject: 'test',
    title: 'This is a test of the sink',
    detail: 'Nothing is wrong. Alerts will look like this.',
    opened_at: seconds,
    updated_at: seconds,
    resolved_at: null,
  } as const;
  // Nobody else claims it meanwhile; if this process dies, the sender of another does.
  const delivery = makeDelivery({ sinkId: sink.id, event: 'test', alert, now, dueAt: now + CLAIM_MS });
  await store.transaction((transaction) => insertDeliveries(transaction, [delivery]));
  const attempt = await timedAttempt(clock, (at) => sendToSink(dependencies, sink, delivery, { at }));
  const changes = afterAttempt(delivery, attempt, clock, { isLast: true });
  await updateSinkDelivery(store, delivery.id, changes);
  return { ...delivery, ...changes };
}
