// The compatible error shape, which the operator API answers with.
import { z } from 'zod';

export const errorAnswer = z
  .looseObject({
    error: z.looseObject({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'Error' });
