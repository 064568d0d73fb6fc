// Somebody saved the same thing meanwhile: what is there now, what one was about to save, and the choice between them.
import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { t } from '../i18n/t.ts';
import { callApi } from '../lib/api-client.ts';
import { fieldLabel } from '../lib/field-label.ts';
import { differences, type FormConflict } from '../lib/form-conflict.ts';
import { overwriteNext } from '../lib/overwrite.ts';
import { Notice } from './states.tsx';

export function ConflictNotice({ conflict, discard }: { conflict: FormConflict; discard: (() => void) | undefined }) {
  const client = useQueryClient();
  const { data: there } = useQuery({
    queryKey: ['conflict', conflict],
    queryFn: ({ signal }) => callApi('GET', conflict.path, { schema: z.unknown(), signal }),
    retry: false,
  });
  const changed = differences(there, conflict.body);
  return (
    <Notice color="yellow">
      <Stack gap="xs" role="alert">
        <Text size="sm" fw={600}>
          {t('Somebody else changed this while you had it open.')}
        </Text>
        {changed.length > 0 && (
          <Table verticalSpacing={4} aria-label={t('What differs')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Field')}</Table.Th>
                <Table.Th>{t('Saved now')}</Table.Th>
                <Table.Th>{t('Yours')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changed.map(({ field, theirs, mine }) => (
                <Table.Tr key={field}>
                  <Table.Td>{fieldLabel(field)}</Table.Td>
                  <Table.Td className="long">{theirs}</Table.Td>
                  <Table.Td className="long">{mine}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Group gap="xs">
          {discard !== undefined && (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                void client.invalidateQueries();
                discard();
              }}
            >
              {t('Discard mine')}
            </Button>
          )}
          <Button
            size="xs"
            color="red.9"
            onClick={() => {
              overwriteNext(conflict.target);
              conflict.again();
            }}
          >
            {t('Save mine anyway')}
          </Button>
        </Group>
      </Stack>
    </Notice>
  );
}
