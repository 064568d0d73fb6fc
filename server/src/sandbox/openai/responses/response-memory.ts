// The stored responses of one sandbox, each seen only by the key that made it. Bounded by number and by bytes, oldest
// forgotten first.
import type { WireObject } from '../../fields/refuse.ts';

export type StoredResponse = {
  key: string;
  id: string;
  /** As it is when all is done. */
  response: WireObject;
  /** What this request brought, with ids. */
  inputItems: WireObject[];
  /** All that came before and in this response, for the next one to go on from. */
  conversation: WireObject[];
  background: boolean;
  /** When a background response is done, milliseconds since 1970. */
  doneAt: number;
  isCancelled: boolean;
  bytes: number;
};

export type ResponseMemory = {
  find(key: string, id: string): StoredResponse | undefined;
  keep(stored: StoredResponse): void;
  forget(id: string): void;
};

const countLimit = 1000;
const bytesLimit = 64 * 1024 * 1024;

export function createResponseMemory(): ResponseMemory {
  const responses = new Map<string, StoredResponse>();
  let bytes = 0;

  function forget(id: string): void {
    bytes -= responses.get(id)?.bytes ?? 0;
    responses.delete(id);
  }

  return {
    find(key, id) {
      const found = responses.get(id);
      return found?.key === key ? found : undefined;
    },
    keep(stored) {
      responses.set(stored.id, stored);
      bytes += stored.bytes;
      for (const id of responses.keys()) {
        if (responses.size <= countLimit && (bytes <= bytesLimit || responses.size === 1)) break;
        forget(id);
      }
    },
    forget,
  };
}
