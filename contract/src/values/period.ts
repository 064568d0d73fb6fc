// Periods after which a quota or a budget starts again, in UTC: at midnight, on Mondays, on the first of the month.
import { z } from 'zod';

export const period = z.enum(['day', 'week', 'month']);
