// Writes the one shape that callers get: best first, no more than asked for, documents only where asked for (contract 5).
import { readRanking, type VendorRanking } from './read-answer.ts';
import type { RerankRequest } from './read-request.ts';
import type { RerankAnswer, RerankResult } from './wire.ts';

/** `v2` adds what the client library of that version shows. */
export type RerankStyle = 'plain' | 'v2';

/** undefined when the answer does not fit the request. */
export function writeRerankAnswer(body: Buffer, request: RerankRequest, style: RerankStyle): Buffer | undefined {
  const ranking = readRanking(body);
  if (ranking === undefined) return undefined;
  const { documentCount, topN = documentCount } = request;
  const seen = new Set(ranking.results.map(({ index }) => index));
  const fits = seen.size === ranking.results.length && [...seen].every((index) => index < documentCount);
  if (!fits) return undefined;
  const results = ranking.results
    .toSorted((a, b) => b.score - a.score)
    .slice(0, topN)
    .map((ranked): RerankResult => {
      const plain = { index: ranked.index, relevance_score: ranked.score };
      return request.returnDocuments
        ? { ...plain, document: { text: ranked.text ?? request.document(ranked.index) } }
        : plain;
    });
  return Buffer.from(JSON.stringify(frame(ranking, { model: request.model, results }, style)));
}

function frame(
  { id, usage, searchUnits = 1 }: VendorRanking,
  ranked: Pick<RerankAnswer, 'model' | 'results'>,
  style: RerankStyle,
): RerankAnswer {
  const tokens = usage === undefined ? {} : { prompt_tokens: usage.input, total_tokens: usage.input };
  const answer = { ...ranked, usage: { ...tokens, search_units: searchUnits } };
  if (style === 'plain') return answer;
  const meta = { api_version: { version: '2' }, billed_units: { search_units: searchUnits } };
  return { ...(id !== undefined && { id }), ...answer, meta };
}
