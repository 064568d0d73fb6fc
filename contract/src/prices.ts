// What a model costs, by the unit that is counted (contract section 6).
import { z } from 'zod';
import { amount, factor } from './values/amounts.ts';
import { line } from './values/text.ts';

const perMillion = amount.meta({ description: 'Per million' });

const rates = {
  input: perMillion,
  output: perMillion,
  cached_input: perMillion.nullish(),
  cache_write: perMillion.nullish(),
  audio_input: perMillion.nullish(),
  audio_output: perMillion.nullish(),
  image_input: perMillion.nullish(),
  image_output: perMillion.nullish(),
};

const longContext = z.strictObject({
  input_tokens: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .meta({ description: 'A call with more input tokens has these rates' }),
  ...rates,
});

/** Tiers and tools are named as upstreams name them; case does not matter. */
const name = line(50);
const MOST_NAMES = 50;
const isShort = (names: object): boolean => Object.keys(names).length <= MOST_NAMES;
const tooMany = `must have at most ${MOST_NAMES} names`;

const tokens = z.strictObject({
  unit: z.literal('tokens'),
  ...rates,
  above: z
    .array(longContext)
    .max(10)
    .refine((list) => new Set(list.map((one) => one.input_tokens)).size === list.length, {
      message: 'must not have the same input_tokens twice',
    })
    .nullish()
    .meta({ description: 'Long-context rates for the whole call; a rate that is absent is as the plain one' }),
  tiers: z
    .record(name, factor)
    .refine(isShort, tooMany)
    .nullish()
    .meta({ description: 'Factors by service tier: {"priority": "2", "flex": "0.5"}' }),
  tools: z
    .record(name, amount)
    .refine(isShort, tooMany)
    .nullish()
    .meta({ description: 'Per use of a server-side tool: {"web_search": "0.01"}' }),
  batch: factor.nullish().meta({ description: 'Factor for the tokens of lines of a batch: "0.5"; absent = 1' }),
});

const request = z.strictObject({ unit: z.literal('request'), amount });

const image = z.strictObject({
  unit: z.literal('image'),
  amount,
  by: z.record(line(50), amount).nullish().meta({ description: 'By size, or size/quality: {"1024x1024/hd": "0.08"}' }),
});

const second = z.strictObject({
  unit: z.literal('second'),
  amount,
  resolution: z
    .record(line(20), factor)
    .nullish()
    .meta({ description: 'Coefficients: {"720P": "1", "1080P": "1.78"}' }),
  factors: z
    .record(name, factor)
    .refine(isShort, tooMany)
    .nullish()
    .meta({ description: 'All that match what was sent multiply: {"mode:pro": "1.5", "sound:on": "1.2"}' }),
});

const reported = z.strictObject({
  unit: z.literal('reported'),
  amount: amount.meta({ description: 'Per unit that the vendor reports: credits, units, seconds, dollars' }),
  hold: amount.meta({ description: 'Held, and charged where a success reports nothing' }),
});

const videoTokens = z.strictObject({ unit: z.literal('video_tokens'), generate: perMillion, video_input: perMillion });
const characters = z.strictObject({ unit: z.literal('characters'), amount: perMillion });
const audioSecond = z.strictObject({ unit: z.literal('audio_second'), amount });
const search = z.strictObject({ unit: z.literal('search'), amount });

export const price = z
  .discriminatedUnion('unit', [tokens, request, image, second, videoTokens, reported, characters, audioSecond, search])
  .meta({ id: 'Price' });

export type Price = z.infer<typeof price>;
