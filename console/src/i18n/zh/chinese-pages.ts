// Simplified Chinese of the console's other pages, loaded with the first of them.
import type { Catalogue } from '../catalogue.ts';
import { accounts } from './accounts.ts';
import { alerts } from './alerts.ts';
import { audit } from './audit.ts';
import { channels } from './channels.ts';
import { codes } from './codes.ts';
import { flags } from './flags.ts';
import { groups } from './groups.ts';
import { ledger } from './ledger.ts';
import { models } from './models.ts';
import { operators } from './operators.ts';
import { playground } from './playground.ts';
import { requests } from './requests.ts';
import { settings } from './settings.ts';
import { start } from './start.ts';
import { tasks } from './tasks.ts';
import { tokens } from './tokens.ts';
import { usage } from './usage.ts';

export const chinesePages: Catalogue = {
  ...accounts,
  ...alerts,
  ...audit,
  ...channels,
  ...codes,
  ...flags,
  ...groups,
  ...ledger,
  ...models,
  ...operators,
  ...playground,
  ...requests,
  ...settings,
  ...start,
  ...tasks,
  ...tokens,
  ...usage,
};
