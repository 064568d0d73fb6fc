// Requests written for an upstream of this protocol.
import { writer } from '../../testing/written.ts';
import { writeGeneration } from '../upstream/write-generation.ts';

export { HELLO, message, text } from '../../testing/written.ts';

export const write = writer(writeGeneration, 'gemini-2.5-flash', {
  choices: 'n',
  stop: 'stop',
  user: 'user',
  parallelToolCalls: 'parallel_tool_calls',
});
