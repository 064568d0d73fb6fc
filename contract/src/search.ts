// Finding things by a part of their name or by their id, and the names of ids.
import { z } from 'zod';
import { line, requestId } from './values/text.ts';

export const foundKind = z.enum(['account', 'token', 'channel', 'model', 'request', 'task']);

export const found = z
  .object({
    kind: foundKind,
    id: z.string(),
    name: z.string().meta({ description: 'The id where it has no name' }),
    detail: z.string().meta({ description: 'A few words that tell it from others of the same name' }),
  })
  .meta({ id: 'Found' });

export const searchAnswer = z.object({ found: z.array(found) });
export const searchQuery = z.strictObject({
  q: requestId.optional().meta({
    description:
      'Part of a name in any case, a whole id, or the beginning of a request or task id; without it the newest of a kind',
  }),
  kind: foundKind.optional(),
  limit: z.coerce.number().int().min(1).max(50).default(8).meta({ description: 'Of each kind' }),
});

export const namesAnswer = z.object({ names: z.record(z.string(), z.string()) });
export const namesQuery = z.strictObject({
  ids: z
    .string()
    .min(1)
    .max(20_000)
    .transform((text) => text.split(','))
    .pipe(z.array(line(100)).max(200))
    .meta({ description: 'Ids of accounts, tokens and channels, divided by commas; at most 200' }),
});

export type Found = z.infer<typeof found>;
export type FoundKind = z.infer<typeof foundKind>;
