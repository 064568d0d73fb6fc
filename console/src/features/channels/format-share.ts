// A share of calls for people: never rounded up to all of them.
export function formatShare(share: number | null): string {
  if (share === null) return '—';
  return share === 1 ? '100 %' : `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}
