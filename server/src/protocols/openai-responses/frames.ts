// Functions, allowed tools and schemas stand in no object of their own here.
import type { Frames } from '../openai-shared/frames.ts';

export const responsesFrames: Frames = {
  function: undefined,
  custom: undefined,
  grammar: undefined,
  allowed: undefined,
  schema: undefined,
  formatPath: 'text.format',
};
