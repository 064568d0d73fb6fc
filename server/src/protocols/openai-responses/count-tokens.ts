// /v1/responses/input_tokens: how long the input of a response is. https://platform.openai.com/docs/api-reference/responses
import { asCount, parseRecord } from '../json/json-value.ts';

export function writeTokenCount(inputTokens: number): Buffer {
  return Buffer.from(JSON.stringify({ object: 'response.input_tokens', input_tokens: inputTokens }));
}

/** undefined when the bytes are no such answer. */
export function readTokenCount(body: Buffer): number | undefined {
  return asCount(parseRecord(body)?.['input_tokens']);
}
