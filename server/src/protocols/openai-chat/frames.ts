// Functions, allowed tools and schemas each stand in an object of their own here.
import type { Frames } from '../openai-shared/frames.ts';

export const chatFrames: Frames = {
  function: 'function',
  custom: 'custom',
  grammar: 'grammar',
  allowed: 'allowed_tools',
  schema: 'json_schema',
  formatPath: 'response_format',
};
