// A moment: how long ago, with the exact time for those who ask.
import { formatAgo, formatExactTime, formatTime } from '../lib/format-time.ts';

export function When({ at, exact = false }: { at: number; exact?: boolean }) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={formatExactTime(at)} className="numeric">
      {exact ? formatTime(at) : formatAgo(at)}
    </time>
  );
}
