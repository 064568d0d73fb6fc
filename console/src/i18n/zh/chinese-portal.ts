// Simplified Chinese of the portal.
import type { Catalogues } from '../catalogue.ts';
import { fields } from './fields.ts';
import { gateway } from './gateway.ts';
import { portal } from './portal.ts';
import { shared } from './shared.ts';

export const chinesePortal: Catalogues = { texts: { ...shared, ...fields, ...portal }, sent: gateway };
