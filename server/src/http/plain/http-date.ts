// The date of an answer (RFC 9110, 6.6.1), made once a second.
let second = Number.NaN;
let text = '';

export function httpDate(now = Date.now()): string {
  const current = Math.floor(now / 1000);
  if (current !== second) {
    second = current;
    text = new Date(now).toUTCString();
  }
  return text;
}
