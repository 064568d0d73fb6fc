// A process that keeps the ledger, for a test that kills it: node keep-ledger-process.ts URL DAYS EXPORTED.
import { keepLedger } from '../store/postgres/keep-ledger.ts';

const [databaseUrl = '', days = '', exported = ''] = process.argv.slice(2);
await keepLedger(databaseUrl, { days: Number(days), exported: BigInt(exported) });
