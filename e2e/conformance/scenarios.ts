// Every kind of request in the grid, in the order of the table.
import type { Scenario } from './cell.ts';
import { errorAfter, errorBefore } from './scenarios/failures.ts';
import { parallel, reasoning, tools } from './scenarios/tools.ts';
import { image, maxTokens, stop, structured, system, text } from './scenarios/words.ts';

export const scenarios: readonly Scenario[] = [
  text,
  system,
  tools,
  parallel,
  image,
  structured,
  reasoning,
  stop,
  maxTokens,
  errorBefore,
  errorAfter,
];
