// Functions, allowed tools and schemas each stand in an object of their own here.
import type { Frames } from '../openai-shared/tools.ts';

export const chatFrames: Frames = {
  function: 'function',
  allowed: 'allowed_tools',
  schema: 'json_schema',
  formatPath: 'response_format',
};
