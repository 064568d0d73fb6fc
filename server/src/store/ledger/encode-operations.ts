// Ledger operations as one text, for the way to the database's thread: copying objects between threads costs several times
// what writing and reading this does. Amounts travel as text, since JSON has no bigint.
import type { LedgerOperation, RequestRow, TaskRow } from './operations.ts';

export function encodeOperations(operations: readonly LedgerOperation[]): string {
  return JSON.stringify(operations.map(encode));
}

export function decodeOperations(text: string): LedgerOperation[] {
  return (JSON.parse(text) as ReturnType<typeof encode>[]).map(decode);
}

function encode(operation: LedgerOperation) {
  switch (operation.kind) {
    case 'hold':
      return {
        kind: operation.kind,
        hold: { ...operation.hold, amount: operation.hold.amount.toString() },
        ...(operation.task !== undefined && { task: encodeTask(operation.task) }),
      };
    case 'end': {
      const { task, ...end } = operation;
      return {
        ...end,
        charge: end.charge?.toString() ?? null,
        request: encodeRequest(end.request),
        ...(task !== undefined && { task: { ...task, row: encodeTask(task.row) } }),
      };
    }
    case 'move':
      return { ...operation, row: encodeTask(operation.row), request: encodeRequest(operation.request) };
    case 'checkpoint':
      return operation;
    case 'log':
      return { kind: operation.kind, request: encodeRequest(operation.request) };
  }
}

function decode(operation: ReturnType<typeof encode>): LedgerOperation {
  switch (operation.kind) {
    case 'hold':
      return {
        kind: operation.kind,
        hold: { ...operation.hold, amount: BigInt(operation.hold.amount) },
        ...(operation.task !== undefined && { task: decodeTask(operation.task) }),
      };
    case 'end': {
      const { task, ...end } = operation;
      return {
        ...end,
        charge: end.charge === null ? null : BigInt(end.charge),
        request: decodeRequest(end.request),
        ...(task !== undefined && { task: { ...task, row: decodeTask(task.row) } }),
      };
    }
    case 'move':
      return { ...operation, row: decodeTask(operation.row), request: decodeRequest(operation.request) };
    case 'checkpoint':
      return operation;
    case 'log':
      return { kind: operation.kind, request: decodeRequest(operation.request) };
  }
}

type EncodedRequest<R> = R extends null ? null : Omit<RequestRow, 'charge'> & { charge: string };

function encodeRequest<R extends RequestRow | null>(request: R): EncodedRequest<R> {
  return (request === null ? null : { ...request, charge: request.charge.toString() }) as EncodedRequest<R>;
}

function decodeRequest<R extends RequestRow | null>(request: EncodedRequest<R>): R {
  const encoded = request as EncodedRequest<RequestRow> | null;
  return (encoded === null ? null : { ...encoded, charge: BigInt(encoded.charge) }) as R;
}

type EncodedTask = Omit<TaskRow, 'hold' | 'charge'> & { hold: string; charge: string | null };

function encodeTask(task: TaskRow): EncodedTask {
  return { ...task, hold: task.hold.toString(), charge: task.charge?.toString() ?? null };
}

function decodeTask(task: EncodedTask): TaskRow {
  return { ...task, hold: BigInt(task.hold), charge: task.charge === null ? null : BigInt(task.charge) };
}
