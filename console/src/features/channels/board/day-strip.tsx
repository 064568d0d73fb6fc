// The last 24 hours in bars of an hour: the red part failed. Said in words for those who do not see it, and by the hour for those
// who point at it.
import type { BoardHour } from '#contract/channel-board.ts';
import { plural, t } from '../../../i18n/t.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import { formatHour } from './format-hour.ts';
import { type DaySlot, slotsOf } from './day-slots.ts';

interface DayStripProps {
  hours: readonly BoardHour[];
  /** Unix seconds. */
  now: number;
  /** Whose it is. */
  name: string;
  width?: number;
  height?: number;
}

const STEP = 7;
const BAR = 5;
/** A failure among thousands is still to be seen. */
const LEAST = 0.15;

export function DayStrip({ hours, now, name, width = 168, height = 22 }: DayStripProps) {
  const slots = slotsOf(hours, now);
  const answered = slots.reduce((sum, slot) => sum + slot.answered, 0);
  const failed = slots.reduce((sum, slot) => sum + slot.failed, 0);
  const words = t('Last 24 hours of {name}: {calls}, {failed} failed', {
    name,
    calls: plural(answered + failed, '{count} call', '{count} calls'),
    failed,
  });
  return (
    <svg
      className="strip"
      width={width}
      height={height}
      viewBox={`0 0 ${24 * STEP} 22`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      {slots.map((slot, index) => (
        <Bar key={slot.hour} slot={slot} x={index * STEP} />
      ))}
    </svg>
  );
}

function Bar({ slot, x }: { slot: DaySlot; x: number }) {
  const calls = slot.answered + slot.failed;
  const share = calls === 0 ? 0 : slot.failed / calls;
  const bad = share === 0 ? 0 : 22 * Math.max(LEAST, share);
  return (
    <g>
      <title>{wordsOf(slot)}</title>
      {/* All of it answers the pointer, gaps too. */}
      <rect x={x} y={0} width={STEP} height={22} fill="transparent" />
      <rect
        x={x}
        y={calls === 0 ? 18 : 0}
        width={BAR}
        height={calls === 0 ? 4 : 22}
        rx={1.5}
        className={calls === 0 ? 'strip-empty' : 'strip-good'}
      />
      {bad > 0 && <rect x={x} y={22 - bad} width={BAR} height={bad} rx={1.5} className="strip-bad" />}
    </g>
  );
}

function wordsOf({ hour, answered, failed, charged }: DaySlot): string {
  const at = formatHour(hour);
  if (answered + failed === 0) return t('{at}: no calls', { at });
  return t('{at}: {calls}, {failed} failed, {charged} charged', {
    at,
    calls: plural(answered + failed, '{count} call', '{count} calls'),
    failed,
    charged: formatMoney(charged ?? '0'),
  });
}
