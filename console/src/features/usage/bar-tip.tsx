// What one bar stands for, in figures.
import { Text } from '@mantine/core';
import { t } from '../../i18n/t.ts';
import type { Column, Measure } from './columns.ts';
import { colorOf } from './series-colors.ts';
import type { UsageLabels } from './usage-labels.ts';

interface BarTipProps {
  column: Column;
  /** Where the bar stands, from 0 to 1. */
  share: number;
  keys: readonly string[];
  nameOf(key: string): string;
  words: UsageLabels;
  measure: Measure;
}

export function BarTip({ column, share, keys, nameOf, words, measure }: BarTipProps) {
  const isRight = share > 0.5;
  const side = isRight ? { right: `${(1 - share) * 100}%` } : { left: `${share * 100}%` };
  return (
    <div className="bars-tip" style={side} data-right={isRight || undefined}>
      <Text size="xs" fw={600}>
        {words.span(column)}
      </Text>
      {column.state === 'running' && (
        <Text size="xs" c="dimmed">
          {t('Still running: this is what there is so far')}
        </Text>
      )}
      {column.away > 0 && (
        <Text size="xs" c="var(--mantine-color-error)">
          {t('The gateway was away for {time}', { time: words.length(column.away) })}
        </Text>
      )}
      <table>
        <tbody>
          {column.parts.toReversed().map(({ key, value }) => (
            <tr key={key ?? ' rest'}>
              <td>
                <span className="swatch" style={{ background: colorOf(key === undefined ? -1 : keys.indexOf(key)) }} />
                <span className="cut">{key === undefined ? t('all others') : nameOf(key)}</span>
              </td>
              <td className="numeric">{words.value(value, measure)}</td>
            </tr>
          ))}
          <tr>
            <td>{t('Total')}</td>
            <td className="numeric">{words.value(column.value, measure)}</td>
          </tr>
          {column.errors > 0 && (
            <tr>
              <td>{t('Failed')}</td>
              <td className="numeric">{words.failed(column)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
