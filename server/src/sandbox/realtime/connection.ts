// One WebSocket of a realtime session: events out, each with its id, and errors in the protocol's words.
import type { WireObject } from '../fields/refuse.ts';
import type { SandboxRecord } from '../records.ts';
import type { Failure } from '../refusal.ts';
import type { WebSocket } from '../../shared/runtime/websockets.ts';

export type Connection = {
  /** Rises with every id that is made. */
  makeId(prefix: string): string;
  send(type: string, fields: object): void;
  /** `eventId`: of the client's event that is refused. */
  refuse(failure: Failure, eventId: string | undefined): void;
  close(code: number, reason: string): void;
  /** Without a word, as a server that crashed. */
  cut(): void;
};

export function openConnection(socket: WebSocket, record: SandboxRecord): Connection {
  let made = 0;
  const makeId = (prefix: string): string => `${prefix}_sandbox_${record.id}_${++made}`;
  const send = (type: string, fields: object): void => {
    if (socket.readyState !== socket.OPEN) return;
    const text = JSON.stringify({ type, event_id: makeId('event'), ...fields });
    record.eventsSent += 1;
    record.bytesSent += Buffer.byteLength(text);
    socket.send(text);
  };
  return {
    makeId,
    send,
    refuse({ message = 'The event was refused.', code = 'invalid_value', param }, eventId) {
      const type = 'invalid_request_error';
      send('error', { error: { type, code, message, param: param ?? null, event_id: eventId ?? null } });
    },
    close: (code, reason) => socket.close(code, reason),
    cut: () => socket.terminate(),
  };
}

export function textOf(object: WireObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}
