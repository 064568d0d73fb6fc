// Prices of videos: by the second with a coefficient for the resolution, or by tokens of two tiers (contract section 6).
export interface SecondPrice {
  unit: 'second';
  amount: bigint;
  /** Coefficients in billionths, by resolution in capitals. */
  resolution: ReadonlyMap<string, bigint>;
}

export interface VideoTokensPrice {
  unit: 'video_tokens';
  /** Nano-units per million tokens. */
  perMillion: { generate: bigint; video_input: bigint };
}

type Fields = Readonly<Record<string, unknown>>;
type ReadAmount = (value: unknown) => bigint | undefined;

/** undefined when it is no price of a video, or one that cannot be understood. */
export function readVideoPrice(fields: Fields, readAmount: ReadAmount): SecondPrice | VideoTokensPrice | undefined {
  if (fields['unit'] === 'second') return readSecondPrice(fields, readAmount);
  if (fields['unit'] !== 'video_tokens') return undefined;
  const generate = readAmount(fields['generate']);
  const videoInput = readAmount(fields['video_input']);
  if (generate === undefined || videoInput === undefined) return undefined;
  return { unit: 'video_tokens', perMillion: { generate, video_input: videoInput } };
}

function readSecondPrice(fields: Fields, readAmount: ReadAmount): SecondPrice | undefined {
  const amount = readAmount(fields['amount']);
  const table = fields['resolution'] ?? {};
  if (amount === undefined || typeof table !== 'object') return undefined;
  const resolution = new Map<string, bigint>();
  for (const [name, value] of Object.entries(table)) {
    const coefficient = readAmount(value);
    if (coefficient === undefined) return undefined;
    resolution.set(name.toUpperCase(), coefficient);
  }
  return { unit: 'second', amount, resolution };
}
