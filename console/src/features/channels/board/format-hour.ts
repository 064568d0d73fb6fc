// An hour of the day in the reader's own zone.
import { languageTag } from '../../../i18n/language.ts';

const hours = new Intl.DateTimeFormat(languageTag, {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

export function formatHour(seconds: number): string {
  return hours.format(new Date(seconds * 1000));
}
