// How much more or less than in the period before.
import { Text } from '@mantine/core';
import { languageTag } from '../../i18n/language.ts';
import { t } from '../../i18n/t.ts';
import { changeOf, type Measure } from './columns.ts';

const MOST_PERCENT = 1000;

export function Change({ now, before, measure }: { now: bigint; before: bigint; measure: Measure }) {
  const change = changeOf(now, before);
  if (change === undefined) {
    return (
      <Text span size="xs" c="dimmed">
        {now === 0n ? '—' : t('new //not in the period before')}
      </Text>
    );
  }
  const size = Math.abs(change);
  const rounded = size.toLocaleString(languageTag, { maximumFractionDigits: size < 10 ? 1 : 0 });
  const sign = rounded === '0' ? '' : change > 0 ? '+' : '\u2212';
  // From ten times on nobody reads percents.
  const times = Math.round((change + 100) / 100).toLocaleString(languageTag);
  const text = change >= MOST_PERCENT ? `\u00d7${times}` : `${sign}${rounded}%`;
  // Only failures have a good and a bad direction.
  const color = measure !== 'errors' || change === 0 ? 'dimmed' : change > 0 ? 'red' : 'green';
  return (
    <Text span size="xs" c={color} className="numeric">
      {text}
    </Text>
  );
}
