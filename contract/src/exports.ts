// Where the request log and the ledger are exported to, and how far each sink is behind (contract-2 12).
import { z } from 'zod';
import { listOf } from './values/lists.ts';

export const exportState = z
  .object({
    sink: z.string().meta({ description: 'As TOLLGATE_EXPORT names it, without user and password' }),
    lag_rows: z
      .int()
      .meta({ description: 'Rows of the ledger and the request log that it lacks; estimated above 10,000' }),
    lag_seconds: z.int().meta({ description: 'How long the oldest of them has waited' }),
    last_error: z.string().nullable().meta({ description: 'Why the last try failed; null as soon as one succeeds' }),
  })
  .meta({ id: 'ExportState' });

export const exportList = listOf(exportState);

export type ExportState = z.infer<typeof exportState>;
