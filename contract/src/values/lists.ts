// How lists are asked for and answered: `limit`, an opaque `cursor`, and the cursor of the next page.
import { z } from 'zod';

export const listQuery = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(400).optional().meta({ description: '`next_cursor` of the page before' }),
};

export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), next_cursor: z.string().nullable() });
}
