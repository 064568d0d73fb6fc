// The report: each fault with its rounds and result, and the four sums of its reconcile. The same text is printed and, when
// asked for, kept as docs/faults.md.
import { cpus, totalmem } from 'node:os';
import { codeVersion } from '../../../scripts/code-version.ts';
import { formatAmount } from '../../../server/src/billing/money.ts';
import { promisedRounds } from './fault.ts';
import type { FaultResult } from './run-fault.ts';

const HEAD = `# Faults

What \`npm run faults\` found on the day below. Each row is a fault of a real gateway process (two of them on
PostgreSQL), a scripted provider, and afterwards a reconcile of four records: what clients have read, what the
provider reported, what the ledger settled and what the balances lost. *Ledger* and *balances* are equal; *ledger* is *client*
plus *cut off* (charges of answers whose client has not got the end) and *provider* plus *counted here* (charges by our own
count, where the provider's was not to be had). All of it is checked call by call; a row with a difference has failed.
*Calls* are those whose client kept a journal, *whole* the ones among them that it read to the end; the sums have the money
of video tasks and of every other call, too.

*Promised* is how many rounds the promise asks for. A usual run makes fewer of what takes long;
\`npm run faults -- --full\` makes as many as promised, which takes hours. FT-03, FT-04, FT-05, THREE-NODES and O-07
are faults of a database server or of several nodes, so there is no row of them on SQLite. FT-30 brings a store of its own. FT-26 and SOAK-FLEET are soaks,
whose figures stand in [benchmarks.md](benchmarks.md); FT-27 and FT-28 are not automated.
`;

/** When, of which code, by which seed and on what. */
export function machineFacts(seed: number): string {
  const [processor] = cpus();
  return [
    `- ${new Date().toISOString().slice(0, 16)}Z, code ${codeVersion() ?? 'unknown'}, seed ${seed}`,
    `- ${cpus().length} x ${processor?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `- Node ${process.versions.node}, ${process.platform} ${process.arch}`,
  ].join('\n');
}

export function writeReport(results: readonly FaultResult[], seed: number): string {
  return `${HEAD}\n${machineFacts(seed)}\n\n## Results\n\n${resultTable(results)}\n\n## Sums\n\n${sumTable(results)}\n\n## Seen\n\n${notesOf(results)}\n`;
}

function resultTable(results: readonly FaultResult[]): string {
  const rows = results.map(({ fault, store, rounds, result, reason, seconds }) => [
    fault.id,
    fault.title,
    store,
    String(rounds),
    String(promisedRounds(fault)),
    result === 'passed' ? 'passed' : `${result}: ${firstLine(reason)}`,
    `${Math.round(seconds)} s`,
  ]);
  return table(['Fault', 'What happens', 'Store', 'Rounds', 'Promised', 'Result', 'Took'], rows);
}

function sumTable(results: readonly FaultResult[]): string {
  const rows = results.flatMap(({ fault, store, sums }) => {
    if (sums === undefined) return [];
    const { client, upstream, ledger, balances, cut, counted } = sums;
    const amounts = [client, upstream, ledger, balances, cut, counted].map((amount) => formatAmount(amount));
    return [[fault.id, store, String(sums.calls), String(sums.answered), ...amounts]];
  });
  const head = [
    'Fault',
    'Store',
    'Calls',
    'Whole',
    'Client',
    'Provider',
    'Ledger',
    'Balances',
    'Cut off',
    'Counted here',
  ];
  return table(head, rows);
}

function notesOf(results: readonly FaultResult[]): string {
  const lines = results.flatMap(({ fault, store, notes }) => notes.map((note) => `- ${fault.id} ${store}: ${note}`));
  return lines.length === 0 ? 'Nothing worth a word.' : lines.join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const firstLine = (text = ''): string => (text.split('\n', 1)[0] ?? '').slice(0, 200);
