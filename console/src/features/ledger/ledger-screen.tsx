// Every movement of money, with filters.
import { getRouteApi } from '@tanstack/react-router';
import { ledgerList } from '#contract/ledger.ts';
import { ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ledgerColumns } from '../../components/ledger-columns.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useAccountNames, useTokenNames } from '../../lib/choices.ts';
import { usePages } from '../../lib/lists.ts';

const route = getRouteApi('/ledger');
const same = (...words: string[]): [string, string][] => words.map((word) => [word, word]);

export function LedgerScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useAccountNames();
  const tokens = useTokenNames();
  const pages = usePages({ path: '/ledger', schema: ledgerList, filters });
  return (
    <Page
      title="Ledger"
      description="Append-only. A hold takes money aside, a settle states the true charge, a release gives back the rest."
    >
      <ListTable
        label="Ledger"
        pages={pages}
        keyOf={(row) => row.id}
        columns={ledgerColumns(accounts)}
        empty={
          <EmptyState icon="ledger" title="No entries">
            No movement of money fits these filters.
          </EmptyState>
        }
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              { kind: 'choice', name: 'account_id', label: 'Account', choices: [...accounts] },
              { kind: 'choice', name: 'token_id', label: 'Token', choices: [...tokens] },
              { kind: 'choice', name: 'kind', label: 'Kind', choices: same('credit', 'hold', 'settle', 'release') },
              { kind: 'choice', name: 'mode', label: 'Mode', choices: same('live', 'test') },
              { kind: 'text', name: 'request_id', label: 'Request', placeholder: 'req_…' },
              { kind: 'time', name: 'from', label: 'From' },
              { kind: 'time', name: 'to', label: 'To' },
            ]}
          />
        }
      />
    </Page>
  );
}
