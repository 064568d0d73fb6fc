// The rules of alerts with their thresholds.
import { Badge, Button, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertRules } from '#contract/alert-rules.ts';
import type { AlertRule } from '#contract/alerts.ts';
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
      header: 'Rule',
      render: (row) => (
        <Stack gap={0}>
          <Text size="sm" fw={500}>
            {row.title}
          </Text>
          <Text size="xs" c="dimmed">
            {row.description}
          </Text>
        </Stack>
      ),
    },
    { header: 'State', render: (row) => <StateBadge state={row.enabled ? 'enabled' : 'disabled'} /> },
    { header: 'Thresholds', wide: true, render: (row) => thresholdWords(row) },
    { header: 'Open', align: 'right', render: (row) => (row.open === 0 ? '0' : <Badge color="red">{row.open}</Badge>) },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'right',
      render: (row) =>
        mayChange && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setEdited(row)}
            aria-label={`Edit the rule ${row.title}`}
          >
            Edit
          </Button>
        ),
    },
  ];
  return (
    <Card title="Rules" description="What the gateway looks for, again and again." flush>
      <Shown query={query}>
        {(rules) => <PlainTable label="Rules" columns={columns} rows={rules} keyOf={(row) => row.rule} />}
      </Shown>
      <Modal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === undefined ? '' : `Rule: ${edited.title}`}
      >
        {edited !== undefined && <RuleForm rule={edited} close={() => setEdited(undefined)} />}
      </Modal>
    </Card>
  );
}

function thresholdWords({ rule, thresholds }: AlertRule): string {
  const words = Object.entries(alertRules[rule].thresholds).flatMap(([name, { label, unit }]) => {
    const value = thresholds[name] ?? 0;
    const isOff = value === 0 && label.endsWith('(0 = off)');
    return isOff ? [] : [`${label.replace(' (0 = off)', '')}: ${value} ${unit}`.trim()];
  });
  return words.join(', ') || 'none';
}
