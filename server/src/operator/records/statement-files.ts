// A statement as a CSV file, and as a page that prints well.
import type { Statement } from '#contract/statement.ts';
import type { FastifyReply } from 'fastify';
import { unixSeconds } from '../../shared/clock.ts';
import { csvLine } from '../../shared/csv-line.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { makeStatement, type StatementRequest } from './statement.ts';

export type StatementFormat = 'json' | 'csv' | 'html';

export interface StatementFile {
  name: string;
  type: string;
  text: string;
}

interface StatementAsked extends Pick<StatementRequest, 'account' | 'month'> {
  /** As the header Accept says where it is not named. */
  format: StatementFormat | undefined;
  reply: FastifyReply;
}

/** Makes a statement; what is no JSON is sent as a file. */
export async function sendStatement(
  { store: { lists }, clock, currency }: Pick<OperatorDependencies, 'store' | 'clock' | 'currency'>,
  { account, month, format, reply }: StatementAsked,
): Promise<Statement> {
  const made = await makeStatement(lists, { account, month, now: unixSeconds(clock), currency });
  const wanted = format ?? statementFormat(reply.request.headers.accept);
  if (wanted === 'json') return made;
  const file = statementFile(made, wanted);
  return reply
    .header('content-type', file.type)
    .header('content-disposition', `${wanted === 'csv' ? 'attachment' : 'inline'}; filename="${file.name}"`)
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .serializer((text: string) => text)
    .send(file.text) as never;
}

function statementFormat(accept: string | undefined): StatementFormat {
  const first = accept?.split(',')[0]?.split(';')[0]?.trim().toLowerCase();
  if (first === 'text/csv') return 'csv';
  return first === 'text/html' ? 'html' : 'json';
}

function statementFile(statement: Statement, format: 'csv' | 'html'): StatementFile {
  const name = `statement-${statement.month}.${format}`;
  if (format === 'csv') return { name, type: 'text/csv; charset=utf-8', text: csvOf(statement) };
  return { name, type: 'text/html; charset=utf-8', text: pageOf(statement) };
}

function csvOf({ opening_balance, closing_balance, days, models, month }: Statement): string {
  return [
    csvLine(['line', 'date', 'model', 'requests', 'credits', 'charges', 'balance']),
    csvLine(['opening', `${month}-01`, '', '', '', '', opening_balance]),
    ...days.map((day) => csvLine(['day', day.date, '', day.requests, day.credits, day.charges, ''])),
    ...models.map((one) => csvLine(['model', month, one.model ?? '(other)', one.requests, '', one.charges, ''])),
    csvLine(['closing', month, '', '', '', '', closing_balance]),
  ].join('');
}

function pageOf(statement: Statement): string {
  const { account, month, currency, days, models } = statement;
  const money = (amount: string): string => `<td class="n">${escape(amount)}</td>`;
  const fact = (name: string, amount: string): string =>
    `<tr><th scope="row">${name}</th>${money(`${amount} ${currency}`)}</tr>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(account.name)}: ${month}</title><style>
body{font:14px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#111}
table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd}
.n{text-align:right;font-variant-numeric:tabular-nums}@media print{body{margin:0}}
</style></head><body>
<h1>Statement ${month}</h1><p>${escape(account.name)} (${escape(account.id)}), days in UTC</p>
<table><tbody>${fact('Opening balance', statement.opening_balance)}${fact('Credits', statement.credits)}${fact('Charges', statement.charges)}${fact('Closing balance', statement.closing_balance)}</tbody></table>
<h2>By model</h2>
<table><thead><tr><th>Model</th><th class="n">Requests</th><th class="n">Charges</th></tr></thead><tbody>
${models.map((one) => `<tr><td>${escape(one.model ?? 'other')}</td><td class="n">${one.requests}</td>${money(one.charges)}</tr>`).join('\n')}
</tbody></table>
<h2>By day</h2>
<table><thead><tr><th>Day</th><th class="n">Requests</th><th class="n">Credits</th><th class="n">Charges</th></tr></thead><tbody>
${days.map((day) => `<tr><td>${day.date}</td><td class="n">${day.requests}</td>${money(day.credits)}${money(day.charges)}</tr>`).join('\n')}
</tbody></table>
</body></html>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
