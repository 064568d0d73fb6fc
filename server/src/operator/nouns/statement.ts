// /accounts/{id}/statement: a month of an account as JSON, CSV, or a page to print (contract-2 10).
import { statement, statementQuery } from '#contract/statement.ts';
import { makeStatement } from '../records/statement.ts';
import { statementFile, statementFormat } from '../records/statement-files.ts';
import { unixSeconds } from '../../shared/clock.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { failuresOfOne, idParams, route } from '../operation.ts';
import { getAccount } from '../records/accounts.ts';

export function statementRoutes(
  app: OperatorApp,
  { store: { reads, lists }, clock, currency }: OperatorDependencies,
): void {
  app.get(
    '/accounts/:id/statement',
    route('Accounts', 'Statement of a month: JSON, CSV, or a page to print', {
      params: idParams,
      querystring: statementQuery,
      response: { 200: statement, ...failuresOfOne },
    }),
    async ({ params, query, headers }, reply) => {
      const account = await getAccount(reads, params.id);
      const made = await makeStatement(lists, { account, month: query.month, now: unixSeconds(clock), currency });
      const format = query.format ?? statementFormat(headers.accept);
      if (format === 'json') return made;
      const file = statementFile(made, format);
      return reply
        .header('content-type', file.type)
        .header('content-disposition', `${format === 'csv' ? 'attachment' : 'inline'}; filename="${file.name}"`)
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .serializer((text: string) => text)
        .send(file.text as never);
    },
  );
}
