// The list of migrations, oldest first.
import { initial } from './0001-initial.ts';
import type { Migration } from './migration.ts';

export const migrations: Migration[] = [initial];
