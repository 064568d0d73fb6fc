// What sinks are sent: an event with the alert as it was then. Written once, sent as often as it takes, each time the same.
import { makeOrderedId } from '../shared/ids.ts';
import type { AlertRow } from '../store/queries/alerts.ts';
import type { AlertDeliveryRow } from '../store/queries/alert-sinks.ts';

export interface AlertEvent {
  id: string;
  object: 'event';
  type: 'alert.opened' | 'alert.resolved' | 'alert.test';
  created_at: number;
  data: Omit<AlertRow, 'updated_at'> & { state: 'open' | 'resolved' };
}

interface Sent {
  sinkId: string;
  event: AlertDeliveryRow['event'];
  alert: AlertRow;
  /** Milliseconds. */
  now: number;
  dueAt?: number;
}

export function makeDelivery({ sinkId, event, alert, now, dueAt = now }: Sent): AlertDeliveryRow {
  const id = makeOrderedId('msg', now);
  const { updated_at: _, ...shown } = alert;
  const created_at = Math.floor(now / 1000);
  const payload: AlertEvent = {
    id: id.replace('msg', 'evt'),
    object: 'event',
    type: `alert.${event}`,
    created_at,
    data: { ...shown, state: alert.resolved_at === null ? 'open' : 'resolved' },
  };
  return {
    id,
    sink_id: sinkId,
    alert_id: event === 'test' ? null : alert.id,
    event,
    payload: JSON.stringify(payload),
    status: 'pending',
    attempts: 0,
    log: '[]',
    next_attempt_at: dueAt,
    created_at,
    completed_at: null,
  };
}
