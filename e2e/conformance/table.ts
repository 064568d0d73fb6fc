// The grid as a page of the documents.
import type { ClientDriver } from './driver.ts';
import type { Scenario } from './cell.ts';
import type { Upstream } from './upstream.ts';

export interface CellResult {
  client: Pick<ClientDriver, 'name'>;
  upstream: Pick<Upstream, 'name'>;
  stream: boolean;
  scenario: Pick<Scenario, 'name'>;
  /** A verdict, or `FAILED`. */
  shown: string;
}

export interface GridAxes {
  clients: readonly Pick<ClientDriver, 'name' | 'library' | 'note'>[];
  upstreams: readonly Pick<Upstream, 'name' | 'model'>[];
  scenarios: readonly Pick<Scenario, 'name' | 'asserts'>[];
}

export function renderTable({ clients, upstreams, scenarios }: GridAxes, results: readonly CellResult[]): string {
  const rows = [['client', 'upstream', 'answer', ...scenarios.map(({ name }) => name)]];
  for (const client of clients)
    for (const upstream of upstreams)
      for (const stream of [false, true]) {
        const own = results.filter((one) => one.client === client && one.upstream === upstream);
        const cells = scenarios.map((scenario) => {
          const found = own.find((one) => one.stream === stream && one.scenario === scenario);
          return found?.shown ?? 'not run';
        });
        rows.push([client.name, upstream.name, stream ? 'stream' : 'whole', ...cells]);
      }
  return alignRows(rows);
}

/** In columns of one width: read in a terminal as well as on a page. */
function alignRows(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0] ?? '', rule, ...lines.slice(1)].join('\n');
}

export function renderPage(axes: GridAxes, results: readonly CellResult[]): string {
  const { clients, upstreams, scenarios } = axes;
  return `# Conformance

Every text protocol of a client against every text protocol of an upstream: ${results.length} cells, each asserted by
\`e2e/conformance\` through the client library of the protocol's own vendor, its stream accumulators included, on a
running gateway; the simulated upstreams ([sandbox.md](sandbox.md)) show what reached them. \`npm run conformance\` writes
this page, and the tests fail when it is not what they saw.

${renderTable(axes, results)}

| Cell | Means |
|---|---|
| \`ok\` | everything below holds, and \`x-tollgate-dropped\` is absent |
| \`named: FIELD\` | the upstream's protocol has no place for the field: \`x-tollgate-dropped\` names it, the rest works; with \`x-tollgate-strict: true\` the answer is 400 and names it too |
| \`counted\` | the effort arrives and the reasoning is counted; the simulated upstream of this protocol shows none of it (\`e2e/native-text/reasoning.test.ts\` has one that does) |
| \`passed on\` | not a field of this protocol; a caller who sends it anyway has it passed on unread to an upstream of the same protocol |

Wherever there is an answer, the usage that the library shows is the usage in the request log, as the upstream reported it.

| Column | Holds when |
|---|---|
${scenarios.map(({ name, asserts }) => `| ${name} | ${asserts} |`).join('\n')}

| Client | Library |
|---|---|
${clients.map(({ name, library, note }) => `| ${name} | \`${library}\`${note === undefined ? '' : `, ${note}`} |`).join('\n')}

| Upstream | Model asked |
|---|---|
${upstreams.map(({ name, model }) => `| ${name} | \`${model}\` |`).join('\n')}
`;
}
