// What the sandbox remembers of the calls it received, for tests and for rehearsals. Bounded by number of calls and by
// bytes of request bodies, oldest forgotten first.

const recordLimit = 10_000;
const bodyBytesLimit = 64 * 1024 * 1024;
export const rawBodyLimit = 64 * 1024;
const countLimit = 10_000;

export type SandboxRecord = {
  /** Rises by one with every call; never starts again within one sandbox. */
  id: number;
  /** Milliseconds since 1970, as all times here. */
  at: number;
  method: string;
  /** Without the query. */
  path: string;
  /** The query's fields; the value of a key is masked. */
  query: Record<string, string>;
  /** Last four characters of the key. */
  keyHint: string | null;
  /** Without authorization; the values of other credential headers are masked. */
  headers: Record<string, string>;
  /** The parsed JSON, long texts of a large one shortened; for a form its text fields by name and `files`; else null. */
  body: unknown;
  /** The first 64 KiB of the body as it came. */
  rawBody: string;
  bodyBytes: number;
  /** Directives in force for this call, as written in a path: `fail-500`. */
  directives: string[];
  /** The video task that the call made, looked at, cancelled or fetched the result of. */
  task: string | null;
  /** Null while, or when, no headers were sent. */
  status: number | null;
  bytesSent: number;
  /** Server-sent events, the closing `[DONE]` included. */
  eventsSent: number;
  /** The client left before the sandbox had sent all that it meant to send. */
  aborted: boolean;
  abortedAt: number | null;
  /** The sandbox did all that it meant to do, chosen faults such as a cut included. */
  finished: boolean;
  finishedAt: number | null;
};

export type CallCount = { path: string; model: string | null; calls: number };

/** `summaryBytes`: what keeping the summary costs, about. */
type Received = { size: number; head: Buffer; summary: unknown; summaryBytes: number };

export type RecordBook = {
  records: readonly SandboxRecord[];
  open(seen: Pick<SandboxRecord, 'at' | 'method' | 'path' | 'query' | 'keyHint' | 'headers'>): SandboxRecord;
  attachBody(record: SandboxRecord, received: Received): void;
  counts(): CallCount[];
  clear(): void;
};

export function createRecordBook(): RecordBook {
  const records: SandboxRecord[] = [];
  const heldBytes = new Map<SandboxRecord, number>();
  const callCounts = new Map<string, CallCount>();
  let totalBytes = 0;
  let lastId = 0;

  function forgetOldest(): void {
    const oldest = records.shift();
    if (oldest === undefined) return;
    totalBytes -= heldBytes.get(oldest) ?? 0;
    heldBytes.delete(oldest);
  }

  function count(path: string, model: string | null): void {
    const name = `${path}\n${model ?? ''}`;
    const known = callCounts.get(name);
    if (known !== undefined) known.calls += 1;
    else if (callCounts.size < countLimit) callCounts.set(name, { path, model, calls: 1 });
  }

  return {
    records,
    open(seen) {
      lastId += 1;
      const record: SandboxRecord = {
        id: lastId,
        ...seen,
        body: null,
        rawBody: '',
        bodyBytes: 0,
        directives: [],
        task: null,
        status: null,
        bytesSent: 0,
        eventsSent: 0,
        aborted: false,
        abortedAt: null,
        finished: false,
        finishedAt: null,
      };
      records.push(record);
      heldBytes.set(record, 0);
      if (records.length > recordLimit) forgetOldest();
      return record;
    },
    attachBody(record, { size, head, summary, summaryBytes }) {
      record.bodyBytes = size;
      record.rawBody = head.subarray(0, rawBodyLimit).toString('utf8');
      record.body = summary ?? null;
      count(record.path, readModel(summary));
      // A record forgotten in the meantime no longer counts.
      if (!heldBytes.has(record)) return;
      heldBytes.set(record, summaryBytes);
      totalBytes += summaryBytes;
      while (totalBytes > bodyBytesLimit && records.length > 1) forgetOldest();
    },
    counts: () => [...callCounts.values()],
    clear() {
      records.length = 0;
      heldBytes.clear();
      callCounts.clear();
      totalBytes = 0;
    },
  };
}

function readModel(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('model' in body)) return null;
  return typeof body.model === 'string' ? body.model.slice(0, 200) : null;
}
