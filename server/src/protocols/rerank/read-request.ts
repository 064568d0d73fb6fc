// Reads a rerank request and checks what the answer depends on: query, documents, and how many of them are wanted back.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { arrayIsEmpty, type JsonObject, readField } from '../../shared/json-fields.ts';
import { presentField, readJsonBody, readModel, readWhole, requireText } from '../json-request.ts';
import { decidingFields, rerankFields } from './wire.ts';

export interface RerankRequest {
  json: JsonObject;
  model: string;
  /** The text of each document, in the caller's order. */
  documents: readonly string[];
  topN: number | undefined;
  returnDocuments: boolean;
}

/** Throws invalid_request that names the field. */
export function readRerankRequest(bytes: Buffer): RerankRequest {
  const json = readJsonBody(bytes, rerankFields, decidingFields);
  const model = readModel(json);
  requireText(json, 'query');
  return {
    json,
    model,
    documents: readDocuments(json),
    topN: readWhole(json, 'top_n', Number.MAX_SAFE_INTEGER),
    returnDocuments: readField(json, 'return_documents') === true,
  };
}

function readDocuments(json: JsonObject): string[] {
  const field = presentField(json, 'documents');
  if (field === undefined) throw invalidRequest("'documents' is required.", 'documents');
  if (arrayIsEmpty(json, field)) throw invalidRequest("'documents' must not be empty.", 'documents');
  return (readField(json, 'documents') as unknown[]).map((document, index) => {
    const text = textOf(document);
    if (text !== undefined) return text;
    throw invalidRequest(`'documents[${index}]' must be a string or an object with a 'text'.`, `documents[${index}]`);
  });
}

/** The text of a document, of a request or of an answer. */
export function textOf(document: unknown): string | undefined {
  if (typeof document === 'string') return document;
  if (typeof document !== 'object' || document === null || !('text' in document)) return undefined;
  return typeof document.text === 'string' ? document.text : undefined;
}
