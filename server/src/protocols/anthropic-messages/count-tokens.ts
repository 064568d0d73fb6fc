// /v1/messages/count_tokens: the same request, but nothing is generated; only the size of the prompt is reported.
import { asCount, parseRecord } from '../json/json-value.ts';

export function writeTokenCount(inputTokens: number): Buffer {
  return Buffer.from(JSON.stringify({ input_tokens: inputTokens }));
}

/** undefined when the bytes are no such answer. */
export function readTokenCount(body: Buffer): number | undefined {
  return asCount(parseRecord(body)?.['input_tokens']);
}
