// Reads the body of a rerank request, as several vendors take it. https://docs.cohere.com/reference/rerank
import {
  checkBody,
  checkBoolean,
  checkModelName,
  checkNumber,
  checkText,
  refuseMissing,
} from '../fields/check-fields.ts';
import { isObject, refuse } from '../fields/refuse.ts';

export type RerankRequest = {
  model: string;
  query: string;
  documents: string[];
  count: number;
  returnDocuments: boolean | undefined;
};

const documentLimit = 10_000;

export function readRerankRequest(given: unknown): RerankRequest {
  const body = checkBody(given);
  const model = checkModelName(body['model']);
  const query = checkText(body['query'], 'query') ?? refuseMissing('query');
  if (query === '') refuse('query', "'query' must not be empty.", 'invalid_value');
  const { documents } = body;
  if (documents === undefined || documents === null) refuseMissing('documents');
  if (!Array.isArray(documents)) refuse('documents', "Invalid type for 'documents': expected an array.");
  if (documents.length === 0) refuse('documents', "'documents' must not be empty.", 'empty_array');
  if (documents.length > documentLimit) {
    refuse('documents', `Too many documents: at most ${documentLimit}.`, 'array_above_max_length');
  }
  const asked = checkNumber(body['top_n'], 'top_n', { least: 1, most: Infinity, whole: true });
  const reported = body['return_documents'] ?? undefined;
  return {
    model,
    query,
    documents: documents.map((document: unknown, index) => readDocument(document, `documents[${index}]`)),
    count: Math.min(asked ?? documents.length, documents.length),
    returnDocuments: reported === undefined ? undefined : checkBoolean(reported, 'return_documents'),
  };
}

function readDocument(document: unknown, at: string): string {
  const text = isObject(document) ? document['text'] : document;
  if (typeof text !== 'string') refuse(at, `Invalid type for '${at}': expected a string or an object with 'text'.`);
  return text;
}
