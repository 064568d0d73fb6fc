// An error as clients of a realtime session read it: an event, after which the session goes on.
import type { GatewayError } from '../../errors/gateway-error.ts';

/** `cause`: the id that the client gave the event that is refused. */
export function errorEvent(error: GatewayError, eventId: string, cause: string | undefined): string {
  const { message, type, details, publicCode: code } = error;
  const body = { type, code, message, param: details.param ?? null, event_id: cause ?? null };
  return JSON.stringify({ type: 'error', event_id: eventId, error: body });
}
