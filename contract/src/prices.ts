// What a model costs, by the unit that is counted (contract section 6).
import { z } from 'zod';
import { amount, factor } from './values/amounts.ts';
import { line } from './values/text.ts';

const perMillion = amount.meta({ description: 'Per million' });

const tokens = z.strictObject({
  unit: z.literal('tokens'),
  input: perMillion,
  output: perMillion,
  cached_input: perMillion.nullish(),
  cache_write: perMillion.nullish(),
  audio_input: perMillion.nullish(),
  audio_output: perMillion.nullish(),
  image_input: perMillion.nullish(),
  image_output: perMillion.nullish(),
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
  resolution: z.record(line(20), factor).meta({ description: 'Coefficients: {"720P": "1", "1080P": "1.78"}' }),
});

const videoTokens = z.strictObject({ unit: z.literal('video_tokens'), generate: perMillion, video_input: perMillion });
const characters = z.strictObject({ unit: z.literal('characters'), amount: perMillion });
const audioSecond = z.strictObject({ unit: z.literal('audio_second'), amount });
const search = z.strictObject({ unit: z.literal('search'), amount });

export const price = z
  .discriminatedUnion('unit', [tokens, request, image, second, videoTokens, characters, audioSecond, search])
  .meta({ id: 'Price' });

export type Price = z.infer<typeof price>;
