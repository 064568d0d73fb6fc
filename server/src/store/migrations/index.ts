// The list of migrations, oldest first.
import { initial } from './0001-initial.ts';
import { responses } from './0002-responses.ts';
import { usageSums } from './0020-usage-sums.ts';
import type { Migration } from './migration.ts';

export const migrations: Migration[] = [initial, responses, usageSums];
