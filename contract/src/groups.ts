// Groups: a price multiplier and an optional list of models, shared by accounts, tokens and channels.
import { z } from 'zod';
import { etag } from './values/etag.ts';
import { factor } from './values/amounts.ts';
import { listOf, listQuery } from './values/lists.ts';
import { lines, modelPatterns } from './values/text.ts';
import { orDefault } from './values/or-default.ts';

export const group = z
  .object({
    name: z.string(),
    multiplier: z.string(),
    description: z.string(),
    models: z.array(z.string()).nullable(),
    etag,
  })
  .meta({ id: 'Group' });

export const groupPut = z
  .strictObject({
    multiplier: factor.default('1'),
    description: orDefault(lines(500), ''),
    models: modelPatterns.default(null),
  })
  .meta({ id: 'GroupPut' });

export const groupList = listOf(group);
export const groupQuery = z.strictObject(listQuery);

export type Group = z.infer<typeof group>;
export type GroupPut = z.infer<typeof groupPut>;
