// Upstreams of videos that refuse with status 200 and a code in the body: the status that such a code has elsewhere.

/** The first that fits decides. */
const STATUSES: readonly [RegExp, number][] = [
  [/throttl|ratelimit|quota|toomany|limitexceed|exceeded/i, 429],
  [/arrear|overdue|balance/i, 402],
  [/apikey|api_key|unauthor|authentication/i, 401],
  [/accessdenied|forbidden|permission|denied/i, 403],
  [/internal|unavailable|overload|busy|system|timeout|server/i, 500],
];
const REFUSED = 400;

export function statusOfCode(code: string): number {
  const plain = code.replace(/[\s.]/g, '');
  return STATUSES.find(([pattern]) => pattern.test(plain))?.[1] ?? REFUSED;
}
