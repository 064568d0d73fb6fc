// The time zone of the person who looks.
export const UTC = 'UTC';

export const localZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone || UTC;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A moment as clocks of a zone show it. */
export function inZone(zone: string, options: Intl.DateTimeFormatOptions, locale = 'en'): (seconds: number) => string {
  const key = `${zone} ${locale} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
    formats.set(key, format);
  }
  const made = format;
  return (seconds) => made.format(seconds * 1000);
}

/** Its name, and how far its clocks are ahead of UTC then: Asia/Kolkata (UTC+5:30). */
export function zoneLabel(zone: string, seconds: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(
    seconds * 1000,
  );
  const offset = (parts.find(({ type }) => type === 'timeZoneName')?.value ?? '').replace('GMT', UTC);
  return offset === zone ? zone : `${zone} (${offset})`;
}
