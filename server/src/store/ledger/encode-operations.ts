// Ledger operations as one text, for the way to the database's thread: copying objects between threads costs several times
// what writing and reading this does. Amounts travel as text, since JSON has no bigint.
import type { LedgerOperation, RequestRow } from './operations.ts';

export function encodeOperations(operations: readonly LedgerOperation[]): string {
  return JSON.stringify(operations.map(encode));
}

export function decodeOperations(text: string): LedgerOperation[] {
  return (JSON.parse(text) as ReturnType<typeof encode>[]).map(decode);
}

function encode(operation: LedgerOperation) {
  switch (operation.kind) {
    case 'hold':
      return { kind: operation.kind, hold: { ...operation.hold, amount: operation.hold.amount.toString() } };
    case 'end':
      return { ...operation, charge: operation.charge?.toString() ?? null, request: encodeRequest(operation.request) };
    case 'checkpoint':
      return operation;
    case 'log':
      return { kind: operation.kind, request: encodeRequest(operation.request) };
  }
}

function decode(operation: ReturnType<typeof encode>): LedgerOperation {
  switch (operation.kind) {
    case 'hold':
      return { kind: operation.kind, hold: { ...operation.hold, amount: BigInt(operation.hold.amount) } };
    case 'end':
      return {
        ...operation,
        charge: operation.charge === null ? null : BigInt(operation.charge),
        request: decodeRequest(operation.request),
      };
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
