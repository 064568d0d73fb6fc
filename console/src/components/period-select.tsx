// When a quota or a budget starts again.
import { Select } from '@mantine/core';
import { t } from '../i18n/t.ts';
import type { Period } from '../lib/limits.ts';

interface PeriodSelectProps {
  label: string;
  /** What it means to have none. */
  never: string;
  value: Period | null;
  onChange(period: Period | null): void;
  error: string | undefined;
}

const periods: { value: Period; label: string }[] = [
  { value: 'day', label: t('Every day') },
  { value: 'week', label: t('Every week') },
  { value: 'month', label: t('Every month') },
];

export function PeriodSelect({ label, never, value, onChange, error }: PeriodSelectProps) {
  return (
    <Select
      label={label}
      description={t('At midnight UTC, on Mondays, on the first')}
      placeholder={never}
      clearable
      data={periods}
      value={value}
      onChange={(chosen) => onChange(periods.find((one) => one.value === chosen)?.value ?? null)}
      error={error}
    />
  );
}
