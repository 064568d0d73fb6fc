// What one live call to an upstream answered.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notice } from '../../components/states.tsx';
import { known, t } from '../../i18n/t.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';

interface TestResultProps {
  result: { ok: boolean; status: number | null; latency_ms: number; message: string };
  /** When it was, where that is not now. */
  when?: ReactNode;
}

export function TestResult({ result, when }: TestResultProps) {
  return (
    <Notice color={result.ok ? 'green' : 'red'}>
      <Text size="sm" fw={600}>
        {result.ok ? t('It works') : t('It does not work')}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {known(result.message)}
      </Text>
      <Text size="xs" mt={4}>
        {result.status === null ? t('no answer') : t('status {status}', { status: String(result.status) })},{' '}
        {formatMilliseconds(result.latency_ms)}
        {when}
      </Text>
    </Notice>
  );
}
