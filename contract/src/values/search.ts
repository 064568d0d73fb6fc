// Search by a part of a name, in lists that have one.
import { line } from './text.ts';

export const search = line(100).optional().meta({ description: 'Part of the name, in any case; or the whole id' });
