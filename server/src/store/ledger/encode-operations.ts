// Ledger operations as one text, for the way to the database's thread: copying objects between threads costs several times
// what writing and reading this does. What every call does travels as bare values, amounts as text. On SQLite
// batches also lie in the file like this for a moment: what the version before wrote must stay readable.
import type { EndOperation, HoldRow, LedgerOperation, LogOperation, RequestRow, TaskRow } from './operations.ts';
import { holdWith, requestWith } from './statements.ts';

export function encodeOperations(operations: readonly LedgerOperation[]): string {
  return JSON.stringify(operations.map(encode));
}

export function decodeOperations(text: string): LedgerOperation[] {
  return (JSON.parse(text) as ReturnType<typeof encode>[]).map(decode);
}

function encode(operation: LedgerOperation) {
  switch (operation.kind) {
    case 'hold':
      if (operation.task === undefined && operation.most === undefined)
        return ['hold', encodeHold(operation.hold)] as const;
      if (operation.task === undefined) return ['hold', encodeHold(operation.hold), String(operation.most)] as const;
      return { kind: operation.kind, hold: encodeHold(operation.hold), task: encodeTask(operation.task) };
    case 'end': {
      const { kind, task } = operation;
      if (task === undefined) return encodeEnd(operation);
      return { kind, end: encodeEnd(operation), task: { ...task, row: encodeTask(task.row) } };
    }
    case 'move': {
      const { request } = operation;
      return {
        ...operation,
        row: encodeTask(operation.row),
        request: request === null ? null : encodeRequest(request),
      };
    }
    case 'checkpoint':
      return operation;
    case 'log':
      return ['log', encodeRequest(operation.request)] as const;
  }
}

function decode(encoded: ReturnType<typeof encode>): LedgerOperation {
  if (!('kind' in encoded)) {
    switch (encoded[0]) {
      case 'hold':
        return {
          kind: 'hold',
          hold: decodeHold(encoded[1]),
          ...(encoded[2] !== undefined && { most: BigInt(encoded[2]) }),
        };
      case 'end':
        return decodeEnd(encoded);
      case 'log':
        return { kind: 'log', request: decodeRequest(encoded[1]) } satisfies LogOperation;
    }
  }
  switch (encoded.kind) {
    case 'hold':
      return { kind: encoded.kind, hold: decodeHold(encoded.hold), task: decodeTask(encoded.task) };
    case 'end':
      return { ...decodeEnd(encoded.end), task: { ...encoded.task, row: decodeTask(encoded.task.row) } };
    case 'move': {
      const { request } = encoded;
      return { ...encoded, row: decodeTask(encoded.row), request: request === null ? null : decodeRequest(request) };
    }
    case 'checkpoint':
      return encoded;
  }
}

function encodeEnd({ holdId, charge, usageSource, at, note, request }: EndOperation) {
  const amount = charge === null ? null : charge.toString();
  return ['end', holdId, amount, usageSource, at, note, request === null ? null : encodeRequest(request)] as const;
}

function decodeEnd(encoded: ReturnType<typeof encodeEnd>): EndOperation {
  const [kind, holdId, amount, usageSource, at, note, request] = encoded;
  const charge = amount === null ? null : BigInt(amount);
  return { kind, holdId, charge, usageSource, at, note, request: request === null ? null : decodeRequest(request) };
}

const encodeHold = (row: HoldRow) => holdWith(row, row.amount.toString());

function decodeHold(values: ReturnType<typeof encodeHold>): HoldRow {
  return {
    id: values[0],
    request_id: values[1],
    task_id: values[2],
    account_id: values[3],
    token_id: values[4],
    amount: BigInt(values[5]),
    mode: values[6],
    price: values[7],
    owner: values[8],
    expires_at: values[9],
    created_at: values[10],
  };
}

const encodeRequest = (row: RequestRow) => requestWith(row, row.charge.toString());

function decodeRequest(values: ReturnType<typeof encodeRequest>): RequestRow {
  return {
    id: values[0],
    account_id: values[1],
    token_id: values[2],
    group_name: values[3],
    endpoint: values[4],
    model: values[5],
    channel_id: values[6],
    status: values[7],
    error_code: values[8],
    attempts: values[9],
    first_byte_ms: values[10],
    total_ms: values[11],
    usage: values[12],
    usage_source: values[13],
    charge: BigInt(values[14]),
    arithmetic: values[15],
    mode: values[16],
    created_at: values[17],
    ...(typeof values[18] === 'string' && { reason: values[18] }), // absent in what an older version wrote
  };
}

type EncodedTask = Omit<TaskRow, 'hold' | 'charge'> & { hold: string; charge: string | null };

function encodeTask(task: TaskRow): EncodedTask {
  return { ...task, hold: task.hold.toString(), charge: task.charge?.toString() ?? null };
}

function decodeTask(task: EncodedTask): TaskRow {
  return { ...task, hold: BigInt(task.hold), charge: task.charge === null ? null : BigInt(task.charge) };
}
