// What a gateway says of itself: whether it is ready, what it lacks, and its metrics.
export interface Readiness {
  status: number;
  /** Where the rate windows are when they are not where they should be. */
  rateLimits: string | undefined;
}

export async function readReadiness(address: string): Promise<Readiness> {
  const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) });
  const body = (await response.json()) as { rate_limits?: string };
  return { status: response.status, rateLimits: body.rate_limits };
}

/** A metric without labels, or the sum over its labels; NaN where there is none. */
export async function readMetric(address: string, name: string): Promise<number> {
  return metricOf(await readMetrics(address), name);
}

export async function readMetrics(address: string): Promise<string> {
  const response = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(5_000) });
  return response.text();
}

/** `labels`: as Prometheus writes them, a part is enough. */
export function metricOf(text: string, name: string, labels = ''): number {
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*${labels}[^}]*\\})? (\\S+)$`, 'gm'))];
  return values.length === 0 ? Number.NaN : values.reduce((sum, [, value]) => sum + Number(value), 0);
}
