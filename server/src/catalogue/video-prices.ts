// Prices of videos: by the second with a coefficient for the resolution and factors for what was sent, by tokens of two
// tiers (contract section 6), or by what the vendor itself reports (contract-2 9).
export interface SecondPrice {
  unit: 'second';
  amount: bigint;
  /** Coefficients in billionths, by resolution in capitals. */
  resolution: ReadonlyMap<string, bigint>;
  /** Factors in billionths, by `name:value` in small letters; all that match multiply. */
  factors?: ReadonlyMap<string, bigint>;
}

export interface ReportedPrice {
  unit: 'reported';
  /** Per unit that the vendor reports. */
  amount: bigint;
  /** Held, and charged where a success reports nothing. */
  hold: bigint;
}

export interface VideoTokensPrice {
  unit: 'video_tokens';
  /** Nano-units per million tokens. */
  perMillion: { generate: bigint; video_input: bigint };
}

export type VideoPrice = SecondPrice | VideoTokensPrice | ReportedPrice;

type Fields = Readonly<Record<string, unknown>>;
type ReadAmount = (value: unknown) => bigint | undefined;

/** undefined when it is no price of a video, or one that cannot be understood. */
export function readVideoPrice(fields: Fields, readAmount: ReadAmount): VideoPrice | undefined {
  if (fields['unit'] === 'second') return readSecondPrice(fields, readAmount);
  if (fields['unit'] === 'reported') return readReportedPrice(fields, readAmount);
  if (fields['unit'] !== 'video_tokens') return undefined;
  const generate = readAmount(fields['generate']);
  const videoInput = readAmount(fields['video_input']);
  if (generate === undefined || videoInput === undefined) return undefined;
  return { unit: 'video_tokens', perMillion: { generate, video_input: videoInput } };
}

function readSecondPrice(fields: Fields, readAmount: ReadAmount): SecondPrice | undefined {
  const amount = readAmount(fields['amount']);
  const resolution = readTable(fields['resolution'], readAmount, (name) => name.toUpperCase());
  const factors = readTable(fields['factors'], readAmount, (name) => name.toLowerCase());
  if (amount === undefined || resolution === undefined || factors === undefined) return undefined;
  return { unit: 'second', amount, resolution, ...(factors.size > 0 && { factors }) };
}

function readReportedPrice(fields: Fields, readAmount: ReadAmount): ReportedPrice | undefined {
  const amount = readAmount(fields['amount']);
  const hold = readAmount(fields['hold']);
  return amount === undefined || hold === undefined ? undefined : { unit: 'reported', amount, hold };
}

function readTable(
  value: unknown,
  readAmount: ReadAmount,
  spell: (name: string) => string,
): ReadonlyMap<string, bigint> | undefined {
  const table = value ?? {};
  if (typeof table !== 'object') return undefined;
  const read = new Map<string, bigint>();
  for (const [name, text] of Object.entries(table)) {
    const amount = readAmount(text);
    if (amount === undefined) return undefined;
    read.set(spell(name), amount);
  }
  return read;
}
