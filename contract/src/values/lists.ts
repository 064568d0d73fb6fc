// How lists are asked for and answered: `limit`, an opaque `cursor`, and the cursor of the next page.
import { z } from 'zod';

export const listQuery = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(1200).optional().meta({ description: '`next_cursor` of the page before' }),
};

export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable(),
    names: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Names of what the rows name by id, such as accounts, tokens and channels' }),
  });
}

/** The named columns, each also downwards. */
export function sortBy<const Column extends string>(...columns: Column[]) {
  const both = columns.flatMap((column): (Column | `-${Column}`)[] => [column, `-${column}`]);
  return z.enum(both).optional().meta({ description: 'A column, with a minus sign downwards; default: newest first' });
}
