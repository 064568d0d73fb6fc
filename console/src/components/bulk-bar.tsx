// What can be done to the chosen rows: asked first, done one after the other, with the failures shown at the end.
import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { plural, t } from '../i18n/t.ts';
import { sentenceOf } from '../lib/api-error.ts';
import type { RowSelection } from '../lib/use-selection.ts';

export interface BulkAction<Row> {
  label: string;
  /** What it does to each of them. */
  meaning: string;
  color?: 'red';
  /** Rows that it changes; the others are passed over. */
  applies(row: Row): boolean;
  act(row: Row): Promise<unknown>;
  /** After the last one. */
  done(): Promise<unknown>;
}

export function BulkBar<Row>({ actions, selection }: { actions: BulkAction<Row>[]; selection: RowSelection<Row> }) {
  const [chosen, setChosen] = useState<BulkAction<Row>>();
  const [progress, setProgress] = useState<number>();
  const count = selection.rows.length;
  const rows = chosen === undefined ? [] : selection.rows.filter((row) => chosen.applies(row));
  const run = async (action: BulkAction<Row>) => {
    const failures: string[] = [];
    for (const [index, row] of rows.entries()) {
      setProgress((index / rows.length) * 100);
      await action.act(row).catch((error: unknown) => failures.push(sentenceOf(error)));
    }
    setProgress(undefined);
    setChosen(undefined);
    selection.clear();
    await action.done();
    tellResult(rows.length - failures.length, failures);
  };
  return (
    <Group px="md" pb="md" gap="xs" role="group" aria-label={t('Chosen rows')}>
      <Text size="sm" fw={600} aria-live="polite">
        {plural(count, '{count} selected', '{count} selected')}
      </Text>
      {actions.map((action) => (
        <Button
          key={action.label}
          size="xs"
          variant="default"
          disabled={!selection.rows.some((row) => action.applies(row))}
          onClick={() => setChosen(action)}
        >
          {action.label}
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={selection.clear}>
        {t('Select none')}
      </Button>
      <Modal
        opened={chosen !== undefined}
        onClose={() => progress === undefined && setChosen(undefined)}
        title={`${chosen?.label ?? ''} ${rows.length}`}
      >
        {chosen !== undefined && (
          <Stack>
            <Text size="sm">{chosen.meaning}</Text>
            {rows.length < count && (
              <Text size="sm" c="dimmed">
                {t('This does not apply to {count} of the selected rows; they stay as they are.', {
                  count: count - rows.length,
                })}
              </Text>
            )}
            {progress !== undefined && <Progress value={progress} aria-label={t('Progress')} />}
            <Group justify="flex-end">
              <Button variant="default" disabled={progress !== undefined} onClick={() => setChosen(undefined)}>
                {t('Cancel')}
              </Button>
              <Button
                color={chosen.color === 'red' ? 'red.9' : 'iris'}
                loading={progress !== undefined}
                data-autofocus
                onClick={() => void run(chosen)}
              >
                {chosen.label} {rows.length}
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </Group>
  );
}

function tellResult(done: number, failures: string[]): void {
  const [first] = failures;
  if (first === undefined) notifications.show({ color: 'green', message: t('{done} done', { done }) });
  else
    notifications.show({
      color: 'red',
      title: t('{done} done, {failed} failed', { done, failed: failures.length }),
      message: [...new Set(failures)].slice(0, 3).join(' '),
      autoClose: false,
    });
}
