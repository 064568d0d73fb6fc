// Stores and checks with their work left out, for the steps of the ladder.
import type { Authenticator } from '../../../../server/src/access/authenticate.ts';
import type { Principal } from '../../../../server/src/access/principal.ts';
import type { LedgerOperation, LedgerResult } from '../../../../server/src/store/ledger/operations.ts';
import type { Store } from '../../../../server/src/store/store.ts';

/** What the ledger says when all is well. */
function goodResult(operation: LedgerOperation): LedgerResult {
  if (operation.kind === 'hold') return 'held';
  if (operation.kind === 'end') return operation.charge === null ? 'released' : 'settled';
  if (operation.kind === 'move') return 'moved';
  return operation.kind === 'log' ? 'logged' : 'noted';
}

/** Holds and settles are answered at once and written nowhere. */
export function leaveOutMoney(store: Store): Store {
  return {
    ...store,
    commit: <O extends LedgerOperation>(operation: O) => Promise.resolve(goodResult(operation) as LedgerResult<O>),
  };
}

/** Money is moved as always, without the line of the request log that goes with it. */
export function leaveOutRequestLog(store: Store): Store {
  return {
    ...store,
    commit<O extends LedgerOperation>(operation: O): Promise<LedgerResult<O>> {
      if (operation.kind === 'log') return Promise.resolve(goodResult(operation) as LedgerResult<O>);
      return store.commit(operation.kind === 'end' ? { ...operation, request: null } : operation);
    },
  };
}

/** Every caller is the first caller. */
export function leaveOutTokenCheck(authenticator: typeof Authenticator): void {
  const { authenticate } = authenticator.prototype;
  let first: Principal | undefined;
  authenticator.prototype.authenticate = function (key) {
    if (first !== undefined) return first;
    const known = authenticate.call(this, key);
    return Promise.resolve(known).then((principal) => (first = principal));
  };
}
