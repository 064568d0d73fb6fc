// Reads what the gateway must know of a messages request: the route, the stream and what it may cost.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { PLAIN_TIER } from '../../neutral/service-tier.ts';
import { type JsonObject, readField } from '../../shared/json-fields.ts';
import { readAskedTiers } from '../json/asked-tier.ts';
import { readJsonBody, readModel, readWhole, inputSize } from '../json/json-request.ts';
import { asRecord } from '../json/json-value.ts';
import type { ReadRequest } from '../protocol.ts';
import { checkMessages } from './check-messages.ts';
import { decidingFields, messageFields, tierFields } from './wire.ts';

/** Throws invalid_request for anything spec 4.5 does not allow. */
export function readMessagesRequest(bytes: Buffer): ReadRequest {
  const request = readUnlimited(bytes);
  if (request.maxOutputTokens !== undefined) return request;
  throw invalidRequest("'max_tokens' is required.", 'max_tokens');
}

/** The same without a limit of output: nothing is to be generated, only counted. */
export function readUnlimited(bytes: Buffer): ReadRequest {
  const json = readJsonBody(bytes, messageFields, decidingFields);
  const model = readModel(json);
  const maxOutputTokens = readWhole(json, 'max_tokens', Number.MAX_SAFE_INTEGER);
  checkMessages(json);
  return {
    json,
    model,
    stream: readField(json, 'stream') === true,
    maxOutputTokens,
    choices: 1,
    ...inputSize(json),
    ...readTiers(json),
  };
}

/** The provider's fast mode is another field, and costs as much as a tier. The plain speed leaves the tier open. */
function readTiers(json: JsonObject): Pick<ReadRequest, 'serviceTiers'> {
  const asked = readAskedTiers(json, ...tierFields);
  const [first] = asked.serviceTiers ?? [];
  return first?.field === 'speed' && first.name === PLAIN_TIER ? readAskedTiers(json, 'service_tier') : asked;
}

/** Output must have room beyond this. */
export function thinkingBudget(json: JsonObject): number {
  const budget = asRecord(readField(json, 'thinking'))?.['budget_tokens'];
  return typeof budget === 'number' ? budget : 0;
}
