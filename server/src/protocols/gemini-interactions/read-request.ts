// Reads what the gateway must know of a request for an interaction: the route, the stream, what it may cost, and what it
// leaves with the upstream.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type JsonObject, readField } from '../../shared/json-fields.ts';
import { readAskedTiers } from '../json/asked-tier.ts';
import { inputSize, presentField, readJsonBody, readValue, requireFilled } from '../json/json-request.ts';
import { asRecord } from '../json/json-value.ts';
import { mediaAmong } from '../json/output-media.ts';
import type { ReadRequest } from '../protocol.ts';
import { decidingFields, interactionFields } from './wire.ts';

export interface InteractionRequest extends ReadRequest {
  /** `model` is that of the agent. */
  namesAgent: boolean;
  background: boolean;
  /** The upstream keeps it under its id. */
  store: boolean;
  previousId: string | undefined;
}

const KEPT = ['previous_interaction_id', 'cached_content', 'environment', 'continuation_token', 'agent'];

/** Throws invalid_request that names the field. */
export function readInteractionRequest(bytes: Buffer): InteractionRequest {
  const json = readJsonBody(bytes, interactionFields, decidingFields);
  const agent = textOf(json, 'agent');
  const model = textOf(json, 'model') ?? agent;
  if (model === undefined) throw invalidRequest("'model' is required.", 'model');
  if (agent !== undefined && model !== agent) throw invalidRequest("'agent' may not stand beside 'model'.", 'agent');
  requireFilled(json, 'input');
  const modalities = presentField(json, 'response_modalities');
  return {
    json,
    model,
    namesAgent: agent !== undefined,
    stream: readField(json, 'stream') === true,
    maxOutputTokens: readLimit(json),
    choices: 1,
    ...inputSize(json),
    refersElsewhere: KEPT.some((name) => presentField(json, name) !== undefined),
    background: readField(json, 'background') === true,
    store: readField(json, 'store') !== false,
    previousId: textOf(json, 'previous_interaction_id'),
    ...readAskedTiers(json, 'service_tier'),
    ...(modalities !== undefined && { outputMedia: mediaAmong(readValue(json, 'response_modalities')) }),
  };
}

function textOf(json: JsonObject, name: string): string | undefined {
  const text = presentField(json, name) === undefined ? undefined : readValue(json, name);
  if (text === '') throw invalidRequest(`'${name}' must not be empty.`, name);
  return typeof text === 'string' ? text : undefined;
}

function readLimit(json: JsonObject): number | undefined {
  const config =
    presentField(json, 'generation_config') === undefined ? {} : asRecord(readValue(json, 'generation_config'));
  const limit = config?.['max_output_tokens'] ?? undefined;
  if (limit === undefined || (Number.isSafeInteger(limit) && (limit as number) >= 1))
    return limit as number | undefined;
  const field = 'generation_config.max_output_tokens';
  throw invalidRequest(`'${field}' must be a whole number of at least 1.`, field);
}
