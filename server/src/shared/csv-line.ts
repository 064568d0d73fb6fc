// One line of a CSV file (RFC 4180). Text that a spreadsheet would run as a formula begins with an apostrophe.
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvValue).join(',')}\r\n`;
}

function csvValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
