// The name and colour that a page goes by: Tollgate's own, or those of the operator in the portal.
import { namedByPage } from './addresses.ts';

export const brandName = namedByPage('application-name') ?? 'Tollgate';
export const brandColor = namedByPage('brand-color');
