// Functions, allowed tools and schemas stand in no object of their own here.
import type { Frames } from '../openai-shared/tools.ts';

export const responsesFrames: Frames = {
  function: undefined,
  allowed: undefined,
  schema: undefined,
  formatPath: 'text.format',
};
