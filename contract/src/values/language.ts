// Languages of people.
import { z } from 'zod';

export const language = z.enum(['en', 'zh']).meta({ description: 'en: English; zh: Simplified Chinese' });
export type Language = z.infer<typeof language>;
