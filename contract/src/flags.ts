// Feature flags: a model that names one exists only where the flag is on.
import { z } from 'zod';
import { etag } from './values/etag.ts';
import { listOf, listQuery } from './values/lists.ts';
import { groupName, id } from './values/text.ts';
import { orDefault } from './values/or-default.ts';

export const flag = z
  .object({
    name: z.string(),
    enabled: z.boolean(),
    accounts: z.array(z.string()),
    groups: z.array(z.string()),
    etag,
  })
  .meta({ id: 'Flag' });

export const flagPut = z
  .strictObject({
    enabled: z.boolean(),
    accounts: orDefault(z.array(id).max(10_000), []),
    groups: orDefault(z.array(groupName).max(1000), []),
  })
  .meta({ id: 'FlagPut' });

export const flagList = listOf(flag);
export const flagQuery = z.strictObject(listQuery);

export type Flag = z.infer<typeof flag>;
export type FlagPut = z.infer<typeof flagPut>;
