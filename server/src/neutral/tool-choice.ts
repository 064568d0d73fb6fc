// A choice among tools, where there may be none.
import type { ToolChoice } from './generation.ts';

/** Is something lost when no tool is offered? */
export function needsTools(choice: ToolChoice | undefined): boolean {
  return choice !== undefined && choice.type !== 'auto' && choice.type !== 'none';
}
