// CountTokens of Bedrock: the body of a call to InvokeModel inside of another, and the count under another name.
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html
import { asCount, asRecord, parseRecord } from '../../protocols/json/json-value.ts';
import type { Envelope } from '../provider.ts';

export const countEnvelope: Envelope = {
  /** A call to the model must say how much it may answer, also one that is only counted. */
  write(body) {
    const request = parseRecord(body) ?? {};
    const budget = asCount(asRecord(request['thinking'])?.['budget_tokens']) ?? 0;
    const whole = JSON.stringify({ max_tokens: budget + 1, ...request });
    return Buffer.from(JSON.stringify({ input: { invokeModel: { body: Buffer.from(whole).toString('base64') } } }));
  },
  read(body) {
    const tokens = asCount(parseRecord(body)?.['inputTokens']);
    return tokens === undefined ? undefined : Buffer.from(JSON.stringify({ input_tokens: tokens }));
  },
};
