// The rules of alerts with their thresholds.
import { Badge, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertRules } from '#contract/alert-rules.ts';
import type { AlertRule } from '#contract/alerts.ts';
import { known, t } from '../../i18n/t.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, PlainTable } from '../../components/data-table.tsx';
import { Shown } from '../../components/states.tsx';
import { useMayChange } from '../../lib/session.ts';
import { rulesQuery } from './api.ts';
import { RuleForm } from './rule-form.tsx';

export function RulesCard() {
  const query = useQuery(rulesQuery);
  const mayChange = useMayChange();
  const [edited, setEdited] = useState<AlertRule>();
  const columns: Column<AlertRule>[] = [
    {
      header: t('Rule'),
      render: (row) => (
        <Stack gap={0}>
          <Text size="sm" fw={500}>
            {known(row.title)}
          </Text>
          <Text size="xs" c="dimmed">
            {known(row.description)}
          </Text>
        </Stack>
      ),
    },
    { header: t('State'), render: (row) => <StateBadge state={row.enabled ? 'enabled' : 'disabled'} /> },
    { header: t('Thresholds'), wide: true, render: (row) => thresholdWords(row) },
    {
      header: t('Open //alerts'),
      align: 'right',
      render: (row) => (row.open === 0 ? '0' : <Badge color="red">{row.open}</Badge>),
    },
    {
      header: t('Actions'),
      hideHeader: true,
      align: 'right',
      render: (row) =>
        mayChange && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setEdited(row)}
            aria-label={t('Edit the rule {title}', { title: known(row.title) })}
          >
            {t('Edit')}
          </Button>
        ),
    },
  ];
  return (
    <Card title={t('Rules')} description={t('What the gateway looks for, again and again.')} flush>
      <Shown query={query}>
        {(rules) => <PlainTable label={t('Rules')} columns={columns} rows={rules} keyOf={(row) => row.rule} />}
      </Shown>
      <FormModal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === undefined ? '' : t('Rule: {title}', { title: known(edited.title) })}
      >
        {edited !== undefined && <RuleForm rule={edited} close={() => setEdited(undefined)} />}
      </FormModal>
    </Card>
  );
}

function thresholdWords({ rule, thresholds }: AlertRule): string {
  const words = Object.entries(alertRules[rule].thresholds).flatMap(([name, { label, unit }]) => {
    const value = thresholds[name] ?? 0;
    const isOff = value === 0 && label.endsWith('(0 = off)');
    return isOff ? [] : [`${known(label).replace(/ ?[(（]0 = .*$/, '')}: ${value} ${known(unit)}`.trim()];
  });
  return words.join(', ') || t('none');
}
