// What a change is made upon: sent back as If-Match, a change of something that others have changed meanwhile is refused.
import { z } from 'zod';

export const etag = z.string().meta({ description: 'Send it as If-Match with a change: 412 where it is old' });
