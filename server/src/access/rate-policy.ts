// Limits of a token or an account as the store keeps them.
/** Each undefined = no limit. */
export interface RatePolicy {
  /** Requests and tokens per minute. */
  rpm: number | undefined;
  tpm: number | undefined;
  /** Requests at the same time. */
  concurrency: number | undefined;
}

export function readRatePolicy(text: string): RatePolicy {
  const stored = JSON.parse(text) as Partial<Record<keyof RatePolicy, number | null>>;
  return {
    rpm: stored.rpm ?? undefined,
    tpm: stored.tpm ?? undefined,
    concurrency: stored.concurrency ?? undefined,
  };
}

export function limitsAnything({ rpm, tpm, concurrency }: RatePolicy): boolean {
  return rpm !== undefined || tpm !== undefined || concurrency !== undefined;
}
