// Reads requests for vectors and writes them for a channel: the caller's bytes with the upstream's name of the model
// wherever they name it, and without the channel's filtered fields.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type JsonObject, partOf } from '../../shared/json-fields.ts';
import { rewriteJsonObject } from '../../shared/json-rewrite.ts';
import { checkTurn, requireObjects } from '../gemini-generate-content/check-messages.ts';
import { checkModel } from '../gemini-generate-content/read-request.ts';
import { refuseAmbiguous, removable, scanInner } from '../gemini-generate-content/spelling.ts';
import { modelResource } from '../gemini-generate-content/wire.ts';
import { namesSource } from '../json/body-names.ts';
import { presentField, readJsonBody } from '../json/json-request.ts';
import { namedObjects } from '../json/named-objects.ts';
import { withRewrite } from '../json/write-json.ts';
import type { RelayRequest, RequestTarget } from '../protocol.ts';
import { wholeRequest } from '../stream/relay-bytes.ts';
import { readBatchRequest, readSingleRequest } from './translate.ts';
import { batchFields, embedFields, fixedFields } from './wire.ts';

/** `:embedContent`. Throws invalid_request that names the field. */
export function readEmbedContent(bytes: Buffer, model: string): RelayRequest {
  const json = readJsonBody(bytes, embedFields, []);
  refuseAmbiguous(json, embedFields);
  checkEmbedding(json, model, '');
  return {
    ...relayRequest(json, model),
    write: (target) => rewriteModel(json, target, json.fields.has('model')),
    readEmbedding: () => readSingleRequest(bytes, model),
  };
}

/** `:batchEmbedContents`. */
export function readBatchEmbedContents(bytes: Buffer, model: string): RelayRequest {
  const json = readJsonBody(bytes, batchFields, []);
  refuseAmbiguous(json, batchFields);
  const requests = requireObjects(json, 'requests').map((position) => {
    const request = scanInner(position.bytes, position.path, embedFields);
    checkEmbedding(request, model, `${position.path}.`);
    return request;
  });
  return {
    ...relayRequest(json, model),
    write: (target) => writeBatch(json, requests, target),
    readEmbedding: () => readBatchRequest(bytes, model),
  };
}

function relayRequest(json: JsonObject, model: string): Omit<RelayRequest, 'write'> {
  return {
    ...wholeRequest(json, model),
    namesSource: () => namesSource(json.bytes),
    namedObjects: () => namedObjects(json),
  };
}

function checkEmbedding(json: JsonObject, model: string, prefix: string): void {
  checkModel(json, model, prefix);
  const content = presentField(json, 'content');
  const path = `${prefix}content`;
  if (content === undefined) throw invalidRequest(`'${path}' is required.`, path);
  checkTurn(partOf(json, content.valueStart, content.valueEnd), path);
}

/** In a batch every request must name the model. */
function writeBatch(json: JsonObject, requests: readonly JsonObject[], target: RequestTarget): Buffer {
  const { rewrite, ...ofOne } = target;
  const written = requests.map((request) => rewriteModel(request, ofOne, true).toString('utf8'));
  const isChanged = written.some((text, index) => text !== requests[index]?.bytes.toString('utf8'));
  const set = isChanged ? { requests: `[${written.join(',')}]` } : {};
  return rewriteJsonObject(json, withRewrite({ set, remove: removable(target.dropFields, fixedFields) }, rewrite));
}

function rewriteModel(json: JsonObject, target: RequestTarget, named: boolean): Buffer {
  const set = named ? { model: JSON.stringify(modelResource(target.upstreamModel)) } : {};
  return rewriteJsonObject(
    json,
    withRewrite({ set, remove: removable(target.dropFields, fixedFields) }, target.rewrite),
  );
}
