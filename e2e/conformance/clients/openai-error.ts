// What the openai library throws, read as the grid compares it.
import OpenAI from 'openai';
import type { SeenError } from '../driver.ts';

/** Anything that is not the library's own error is a fault of the test or of the gateway, and is thrown on. */
export function readOpenaiError(error: unknown): SeenError {
  if (!(error instanceof OpenAI.APIError)) throw error;
  const { status, code, message } = error as InstanceType<typeof OpenAI.APIError>;
  return { status, kind: code ?? undefined, message };
}
