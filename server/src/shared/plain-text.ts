// Text that others wrote, made fit for the books. Here because callers, upstreams and both databases need the same rule:
// PostgreSQL stores neither NUL nor half a character, and one such value would make a whole batch unwritable.

/** As it is, but for what no database takes. */
export function storable(text: string): string {
  const whole = text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
}

/** At most so many characters, none of them cut in half. */
export function shortened(text: string, most: number): string {
  const whole = storable(text);
  if (whole.length <= most) return whole;
  const cut = whole.slice(0, most);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** On one line: control characters become spaces. */
export function plainText(text: string, most: number): string {
  return shortened(text, most).replace(/\p{Cc}/gu, ' ');
}
