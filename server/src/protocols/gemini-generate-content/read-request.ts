// Reads what the gateway must know of a generate-content request: what it may cost. Model and stream stand in the path.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type JsonObject, partOf, scanJsonObject } from '../../shared/json-fields.ts';
import { rewriteJsonObject } from '../../shared/json-rewrite.ts';
import { readAskedTiers } from '../json/asked-tier.ts';
import { readJsonBody, readValue, readWhole, inputSize } from '../json/json-request.ts';
import type { ForeignSignatures } from '../translation/foreign-signatures.ts';
import { mediaAmong, type OutputMedia } from '../json/output-media.ts';
import { withRewrite } from '../json/write-json.ts';
import type { ReadRequest, RequestTarget } from '../protocol.ts';
import { foreignSignaturesIn } from './foreign-signatures.ts';
import { checkMessages } from './check-messages.ts';
import { findField, refuseAmbiguous, removable, scanInner, spellingIn } from './spelling.ts';
import { configFields, contentFields, fixedFields, MAX_CHOICES, modelResource } from './wire.ts';

/** Model and stream stand in the path. */
export interface ContentRequest extends Omit<ReadRequest, 'model' | 'stream'> {
  signatures: ForeignSignatures;
}

/** Throws invalid_request for anything spec 4.5 does not allow. */
export function readContentRequest(bytes: Buffer, model: string): ContentRequest {
  const json = readJsonBody(bytes, contentFields, []);
  refuseAmbiguous(json, contentFields);
  checkModel(json, model);
  checkMessages(json);
  const config = readConfig(json);
  const modalities = findField(config, 'responseModalities');
  return {
    json,
    signatures: foreignSignaturesIn(json),
    maxOutputTokens: readCount(config, 'maxOutputTokens', Number.MAX_SAFE_INTEGER),
    choices: readCount(config, 'candidateCount', MAX_CHOICES) ?? 1,
    ...inputSize(json),
    ...readAskedTiers(json, spellingIn(json, 'serviceTier')),
    refersElsewhere: findField(json, 'cachedContent') !== undefined,
    ...(modalities !== undefined && { outputMedia: readMedia(config) }),
  };
}

/** The path decides; a body that names another model is not understood. */
export function checkModel(json: JsonObject, model: string, prefix = ''): void {
  const reported = readValue(json, 'model');
  if (reported === undefined || reported === null) return;
  if (reported === model || reported === modelResource(model) || reported === `models/${model}`) return;
  throw invalidRequest(`'${prefix}model' must be the model of the path.`, `${prefix}model`);
}

/** The caller's bytes: only a model named in them becomes the upstream's, and filtered fields go, in both spellings. */
export function writeContentRequest(
  { json, signatures }: Pick<ContentRequest, 'json' | 'signatures'>,
  { upstreamModel, dropFields, changes = {}, rewrite }: RequestTarget,
): Buffer {
  const named = json.fields.has('model') && { model: JSON.stringify(modelResource(upstreamModel)) };
  const set = { ...signatures.changes(upstreamModel), ...changes.set, ...named };
  const remove = [...removable(dropFields, fixedFields), ...(changes.remove ?? [])];
  return rewriteJsonObject(json, withRewrite({ set, remove }, rewrite));
}

/** The caller's bytes with this limit of output tokens. */
export function limitContentOutput(json: JsonObject, most: number): Buffer {
  const config = readConfig(json);
  const limited = rewriteJsonObject(config, { set: { [spellingIn(config, 'maxOutputTokens')]: String(most) } });
  return rewriteJsonObject(json, { set: { [spellingIn(json, 'generationConfig')]: limited.toString() } });
}

function readConfig(json: JsonObject): JsonObject {
  const field = findField(json, 'generationConfig');
  if (field === undefined) return scanJsonObject(Buffer.from('{}'));
  return scanInner(partOf(json, field.valueStart, field.valueEnd), 'generationConfig', configFields);
}

function readMedia(config: JsonObject): OutputMedia {
  return mediaAmong(readValue(config, spellingIn(config, 'responseModalities')));
}

function readCount(config: JsonObject, name: string, max: number): number | undefined {
  return readWhole(config, spellingIn(config, name), max, 'generationConfig.');
}
