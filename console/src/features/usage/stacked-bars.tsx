// Stacked bars, one for each hour or day. Nothing is drawn between them: what was not measured is not shown. Every part and
// every bar is a link; below stands how much failed, and when the gateway was away.
import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, useState } from 'react';
import { t } from '../../i18n/t.ts';
import { BarTip } from './bar-tip.tsx';
import { type Column, type Measure, scaleOf, sizeOf } from './columns.ts';
import { shareOfErrors, type UsageLabels } from './usage-labels.ts';
import type { RequestSearch } from './request-search.ts';
import { colorOf } from './series-colors.ts';

const HEIGHT = 240;
interface StackedBarsProps {
  columns: Column[];
  measure: Measure;
  keys: readonly string[];
  nameOf(key: string): string;
  words: UsageLabels;
  /** Of a whole bar, or of one of its parts. */
  searchOf(column: Column, key?: string): RequestSearch;
}

export function StackedBars({ columns, measure, keys, nameOf, words, searchOf }: StackedBarsProps) {
  const [at, setAt] = useState<number>();
  const largest = columns.reduce((most, { value }) => (value > most ? value : most), 0n);
  const lines = scaleOf(largest, measure);
  const top = lines.at(-1) ?? 1;
  const shown = at === undefined ? undefined : columns[at];
  const labelEvery = Math.ceil(columns.length / 12);
  return (
    <figure className="bars" aria-label={t('Usage over time')} onMouseLeave={() => setAt(undefined)}>
      <div className="bars-plot" style={{ height: HEIGHT }}>
        {lines.map((line) => (
          <div key={line} className="bars-line" style={{ bottom: `${(line / top) * 100}%` }} aria-hidden>
            <span className="numeric">{words.scale(line)}</span>
          </div>
        ))}
        <div className="bars-columns">
          {columns.map((column, index) => (
            <div
              key={column.start}
              className="bars-column"
              data-state={column.state}
              data-away={column.away > 0 || undefined}
              data-shown={index === at || undefined}
              onMouseEnter={() => setAt(index)}
            >
              {column.parts.map(({ key, value }) => (
                <Link
                  key={key ?? ' rest'}
                  to="/requests"
                  search={searchOf(column, key)}
                  tabIndex={-1}
                  aria-hidden
                  className="bars-part"
                  style={partStyle(
                    (sizeOf(value, measure) / top) * 100,
                    colorOf(key === undefined ? -1 : keys.indexOf(key)),
                  )}
                />
              ))}
            </div>
          ))}
        </div>
        {shown !== undefined && at !== undefined && (
          <BarTip column={shown} share={(at + 0.5) / columns.length} {...{ keys, nameOf, words, measure }} />
        )}
      </div>
      <div className="bars-strip">
        {columns.map((column, index) => (
          <Link
            key={column.start}
            to="/requests"
            search={searchOf(column)}
            className="bars-cell"
            data-health={healthOf(column)}
            aria-label={words.sentence(column)}
            onFocus={() => setAt(index)}
            onBlur={() => setAt(undefined)}
            onMouseEnter={() => setAt(index)}
          />
        ))}
      </div>
      <div className="bars-labels" aria-hidden>
        {columns.map((column, index) => (
          <Box key={column.start} component="span">
            {index % labelEvery === 0 && (
              <span className="numeric" data-spare={(index / labelEvery) % 3 !== 0 || undefined}>
                {words.short(column.start)}
              </span>
            )}
          </Box>
        ))}
      </div>
    </figure>
  );
}

/** A part that is there is seen, however small. */
function partStyle(percent: number, background: string): CSSProperties {
  return { height: `${percent}%`, minHeight: 1.5, background };
}

function healthOf(column: Column): string {
  if (column.state === 'ahead') return 'none';
  if (column.away > 0) return 'away';
  if (column.requests === 0) return 'quiet';
  const share = shareOfErrors(column);
  if (share === 0) return 'good';
  return share < 0.05 ? 'some' : 'bad';
}
