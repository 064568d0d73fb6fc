// What an entry of the ledger is for: a request, a task, or the note of a credit.
import { Text } from '@mantine/core';
import type { LedgerEntry } from '#contract/ledger.ts';
import { t } from '../i18n/t.ts';
import { PageLink } from './page-link.tsx';

type Cause = Pick<LedgerEntry, 'request_id' | 'task_id' | 'note' | 'author'>;

export function LedgerCause({ entry }: { entry: Cause }) {
  if (entry.request_id !== null) {
    return (
      <PageLink to="/requests/$id" params={{ id: entry.request_id }} className="mono cut">
        {entry.request_id}
      </PageLink>
    );
  }
  if (entry.task_id !== null) {
    return (
      <PageLink to="/tasks/$id" params={{ id: entry.task_id }} className="mono cut">
        {entry.task_id}
      </PageLink>
    );
  }
  return (
    <Text size="sm" className="cut" component="span" title={entry.note ?? undefined}>
      {entry.note ?? t('no note')}
      {entry.author !== null && ` (${entry.author})`}
    </Text>
  );
}
