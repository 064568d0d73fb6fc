// LiteLLM's costs per token as prices per million.
import { price as priceSchema, type Price } from '#contract/prices.ts';
import { formatAmount } from '../../../../server/src/billing/money.ts';
import { exact, type Exact, shown, times, toNano } from '../exact-decimal.ts';
import type { Row } from '../sources/source.ts';

const MILLION: Exact = { digits: 1_000_000n, scale: 0 };

/** LiteLLM's field for each of ours. */
const RATES = {
  cached_input: 'cache_read_input_token_cost',
  cache_write: 'cache_creation_input_token_cost',
  audio_input: 'input_cost_per_audio_token',
  audio_output: 'output_cost_per_audio_token',
  image_input: 'input_cost_per_image_token',
  image_output: 'output_cost_per_image_token',
} as const;

export interface FoundCost {
  price: Price;
  arithmetic: string;
}

/** undefined where the deployment names no cost. */
export function readCosts(fields: Row): FoundCost | undefined {
  const cost = (name: string): Exact | undefined => {
    const value = fields[name] === null || fields[name] === undefined ? undefined : exact(fields[name]);
    return value === undefined || value.digits < 0n ? undefined : value;
  };
  const one = (name: string, unit: string, isPerMillion: boolean): FoundCost | undefined => {
    const value = cost(name);
    if (value === undefined) return undefined;
    const amount = formatAmount(toNano(isPerMillion ? times(value, MILLION) : value));
    return checked({ price: { unit, amount } as Price, arithmetic: `${name} ${shown(value)} = ${amount} per ${unit}` });
  };
  const input = cost('input_cost_per_token');
  const output = cost('output_cost_per_token');
  if (input !== undefined || output !== undefined) return tokenPrice(cost, input, output);
  return (
    one('output_cost_per_image', 'image', false) ??
    one('input_cost_per_image', 'image', false) ??
    one('input_cost_per_second', 'audio_second', false) ??
    one('input_cost_per_character', 'characters', true) ??
    one('input_cost_per_query', 'search', false)
  );
}

function tokenPrice(
  cost: (name: string) => Exact | undefined,
  input: Exact = { digits: 0n, scale: 0 },
  output: Exact = { digits: 0n, scale: 0 },
): FoundCost | undefined {
  const perMillion = (value: Exact): string => formatAmount(toNano(times(value, MILLION)));
  const price: Record<string, unknown> = { unit: 'tokens', input: perMillion(input), output: perMillion(output) };
  const steps = [
    `input ${shown(input)} x 1000000 = ${perMillion(input)}`,
    `output ${shown(output)} x 1000000 = ${perMillion(output)}`,
  ];
  for (const [field, name] of Object.entries(RATES)) {
    const value = cost(name);
    if (value === undefined) continue;
    price[field] = perMillion(value);
    steps.push(`${field} ${shown(value)} x 1000000 = ${perMillion(value)}`);
  }
  const above = [128, 200, 256, 272].flatMap((thousand) => {
    const long = cost(`input_cost_per_token_above_${thousand}k_tokens`);
    const longOutput = cost(`output_cost_per_token_above_${thousand}k_tokens`);
    return long === undefined
      ? []
      : [{ input_tokens: thousand * 1000, input: perMillion(long), output: perMillion(longOutput ?? output) }];
  });
  if (above.length > 0) price['above'] = above;
  return checked({ price: price as Price, arithmetic: `${steps.join('; ')} per million` });
}

function checked(found: FoundCost): FoundCost | undefined {
  return priceSchema.safeParse(found.price).success ? found : undefined;
}
