// A field that may be left out or be null, which both mean its default.
import type { z } from 'zod';

export function orDefault<T extends z.ZodType>(schema: T, value: z.output<T>) {
  return schema.nullish().transform((given): z.output<T> => given ?? value);
}
