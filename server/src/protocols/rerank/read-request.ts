// Reads a rerank request and checks what the answer depends on: query, documents, and how many of them are wanted back.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { arrayElements, type JsonObject, readField, scanJsonObject } from '../../shared/json-fields.ts';
import { presentField, readJsonBody, readModel, readWhole, requireFilled, requireText } from '../json/json-request.ts';
import { decidingFields, rerankFields } from './wire.ts';

export interface RerankRequest {
  json: JsonObject;
  model: string;
  documentCount: number;
  /** The text of a document, by its place in the caller's list. */
  document(index: number): string;
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
    ...readDocuments(json),
    topN: readWhole(json, 'top_n', Number.MAX_SAFE_INTEGER),
    returnDocuments: readField(json, 'return_documents') === true,
  };
}

/** Checked one by one, built only for the answer. */
function readDocuments(json: JsonObject): Pick<RerankRequest, 'documentCount' | 'document'> {
  const documents = arrayElements(json, requireFilled(json, 'documents'));
  for (const [index, bytes] of documents.entries()) {
    if (holdsText(bytes)) continue;
    throw invalidRequest(`'documents[${index}]' must be a string or an object with a 'text'.`, `documents[${index}]`);
  }
  return {
    documentCount: documents.length,
    document: (index) => textOf(JSON.parse(documents[index]?.toString() ?? 'null')) ?? '',
  };
}

const [QUOTE, OPEN_OBJECT] = [0x22, 0x7b];

function holdsText(bytes: Buffer): boolean {
  if (bytes[0] === QUOTE) return true;
  return bytes[0] === OPEN_OBJECT && presentField(scanJsonObject(bytes), 'text')?.kind === 'string';
}

/** The text of a document, of a request or of an answer. */
export function textOf(document: unknown): string | undefined {
  if (typeof document === 'string') return document;
  if (typeof document !== 'object' || document === null || !('text' in document)) return undefined;
  return typeof document.text === 'string' ? document.text : undefined;
}
