// POST /v1/rerank and /v2/rerank: the documents in the order of their nearness to the query, in one of two vendors' shapes.
import { createHash } from 'node:crypto';
import { removeDirectives } from '../directives.ts';
import { sendWhole } from '../http/send-whole.ts';
import { checkModel } from '../openai/models.ts';
import type { Call } from '../protocol.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import { countTokens } from '../text/tokens.ts';
import { writeError } from './error.ts';
import { rankDocuments } from './rank-documents.ts';
import { readRerankRequest, type RerankRequest } from './rerank-request.ts';

/** What the vendor bills as one search. */
const documentsPerSearch = 100;

export async function answerRerank(call: Call): Promise<void> {
  const { exchange, behaviour, body, models } = call;
  const request = readRerankRequest(body);
  checkModel(request.model, models);
  const answer = behaviour.rerankShape === 'jina' ? writeJina(request, call) : writeCommon(request, call);
  await sendWhole(exchange, { body: answer, errorBody: writeError({ status: 500 }) }, behaviour);
}

function writeCommon(request: RerankRequest, { exchange, behaviour, path }: Call): object {
  const searches = Math.ceil(request.documents.length / documentsPerSearch);
  const units = spoilUsage({ search_units: searches }, behaviour);
  const version = path.slice('/v'.length, '/v'.length + 1);
  return {
    id: makeId(exchange.record),
    results: writeResults(request, request.returnDocuments ?? false),
    meta: { api_version: { version }, ...(units === undefined ? {} : { billed_units: units }) },
  };
}

function writeJina(request: RerankRequest, { behaviour }: Call): object {
  const tokens = request.documents.reduce((sum, document) => sum + countTokens(document), countTokens(request.query));
  const usage = spoilUsage({ total_tokens: tokens }, behaviour);
  return {
    model: request.model,
    ...(usage === undefined ? {} : { usage }),
    results: writeResults(request, request.returnDocuments ?? true),
  };
}

function writeResults({ query, documents, count }: RerankRequest, withDocuments: boolean): object[] {
  const ranked = rankDocuments(removeDirectives(query), documents).slice(0, count);
  return ranked.map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(withDocuments ? { document: { text: documents[index] ?? '' } } : {}),
  }));
}

function makeId({ at, id, rawBody }: Call['exchange']['record']): string {
  const hex = createHash('sha256').update(`${at}:${id}:${rawBody}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
