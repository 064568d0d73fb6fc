// Every movement of money, with filters: one row for a request, or every entry.
import { SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ledgerFoldList, ledgerList } from '#contract/ledger.ts';
import { ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { foldColumns, ledgerColumns } from '../../components/ledger-columns.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { t } from '../../i18n/t.ts';
import { usePages } from '../../lib/lists.ts';
import { useNames } from '../../lib/names.ts';
import { stateLabel } from '../../lib/state-label.ts';

const route = getRouteApi('/ledger');
const words = (...states: string[]): [string, string][] => states.map((state) => [state, stateLabel(state)]);

export function LedgerScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // A kind is a kind of entry.
  const isFolded = search.view !== 'entries' && search.kind === undefined;
  const { view: _, ...values } = search;
  const tools = (
    <FilterBar
      views="ledger"
      values={values}
      onChange={(next) => void navigate({ search: { ...next, view: search.view }, replace: true })}
      filters={[
        { kind: 'subject', name: 'account_id', label: t('Account'), of: 'account' },
        { kind: 'subject', name: 'token_id', label: t('Token'), of: 'token' },
        { kind: 'choice', name: 'kind', label: t('Kind'), choices: words('credit', 'hold', 'settle', 'release') },
        { kind: 'choice', name: 'mode', label: t('Mode'), choices: words('live', 'test') },
        { kind: 'text', name: 'request_id', label: t('Request'), placeholder: 'req_…' },
        { kind: 'time', name: 'from', label: t('From') },
        { kind: 'time', name: 'to', label: t('To') },
      ]}
    />
  );
  return (
    <Page
      title={t('Ledger')}
      description={t(
        'Append-only. A hold reserves money, a settle states the true charge, a release gives back the rest.',
      )}
      actions={
        <SegmentedControl
          aria-label={t('Rows')}
          value={isFolded ? 'requests' : 'entries'}
          onChange={(view) =>
            void navigate({
              search: { ...search, view: view === 'entries' ? view : undefined, kind: undefined },
              replace: true,
            })
          }
          data={[
            { value: 'requests', label: t('By request') },
            { value: 'entries', label: t('Every entry') },
          ]}
        />
      }
    >
      {isFolded ? <Folds filters={values} tools={tools} /> : <Entries filters={values} tools={tools} />}
    </Page>
  );
}

interface ListProps {
  filters: Record<string, string | undefined>;
  tools: React.ReactNode;
}

function Folds({ filters, tools }: ListProps) {
  const names = useNames();
  const pages = usePages({ path: '/ledger/folded', schema: ledgerFoldList, filters });
  return (
    <ListTable
      label={t('Ledger by request')}
      pages={pages}
      keyOf={(row) => row.id}
      columns={foldColumns(names)}
      empty={<NoEntries />}
      tools={tools}
    />
  );
}

function Entries({ filters, tools }: ListProps) {
  const names = useNames();
  const pages = usePages({ path: '/ledger', schema: ledgerList, filters });
  return (
    <ListTable
      label={t('Ledger')}
      pages={pages}
      keyOf={(row) => row.id}
      columns={ledgerColumns(names)}
      empty={<NoEntries />}
      tools={tools}
    />
  );
}

function NoEntries() {
  return (
    <EmptyState icon="ledger" title={t('No entries')}>
      {t('No movement of money fits these filters.')}
    </EmptyState>
  );
}
