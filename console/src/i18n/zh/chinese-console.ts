// Simplified Chinese of the console's first page: the sign-in, the overview and what stands around every page.
import type { Catalogues } from '../catalogue.ts';
import { app } from './app.ts';
import { fields } from './fields.ts';
import { gateway } from './gateway.ts';
import { overview } from './overview.ts';
import { shared } from './shared.ts';
import { signIn } from './sign-in.ts';

export const chineseConsole: Catalogues = {
  texts: { ...shared, ...fields, ...app, ...overview, ...signIn },
  sent: gateway,
};
