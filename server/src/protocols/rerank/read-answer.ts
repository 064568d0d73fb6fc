// Reads the answers of the vendors that share this protocol. They agree on the idea and differ in names: `results`,
// `data`, `output.results` or a bare list, `relevance_score` or `score`, searches or tokens as the measure.
import type { TokenUsage } from '../../neutral/usage.ts';
import { asCount, asRecord, type JsonRecord, parseObject } from '../json/json-value.ts';
import { readInputUsage } from '../openai-embeddings/read-answer.ts';
import type { WholeAnswer } from '../protocol.ts';
import { textOf } from './read-request.ts';

export interface VendorRanking {
  id: string | undefined;
  /** In the vendor's order. */
  results: readonly Ranked[];
  usage: TokenUsage | undefined;
  searchUnits: number | undefined;
}

export interface Ranked {
  index: number;
  score: number;
  text: string | undefined;
}

export function readRerankAnswer(body: Buffer): WholeAnswer | undefined {
  const answer = parseObject(body.toString('utf8'));
  if (answer === undefined) return undefined;
  const hasError = (answer['error'] ?? null) !== null;
  const ranking = readRanking(body);
  if (ranking === undefined) return hasError ? { usage: undefined, hasError, outputBytes: 0 } : undefined;
  return { usage: ranking.usage, hasError, outputBytes: 0 };
}

/** undefined when any of the results cannot be read: half a ranking is none. */
export function readRanking(body: Buffer): VendorRanking | undefined {
  const answer = parseObject(body.toString('utf8'));
  if (answer === undefined) return undefined;
  const list = listOf(answer);
  if (!Array.isArray(list)) return undefined;
  const results = list.map(readRanked);
  if (!results.every((result) => result !== undefined)) return undefined;
  const meta = record(answer['meta']);
  const id = answer['id'] ?? answer['request_id'];
  return {
    id: typeof id === 'string' ? id : undefined,
    results,
    usage: readInputUsage(answer['usage']) ?? readMetaUsage(meta),
    searchUnits:
      asCount(record(meta['billed_units'])['search_units']) ?? asCount(record(answer['usage'])['search_units']),
  };
}

function listOf(answer: JsonRecord): unknown {
  if (Array.isArray(answer)) return answer;
  return answer['results'] ?? answer['data'] ?? record(answer['output'])['results'];
}

function readRanked(result: unknown): Ranked | undefined {
  const { index, relevance_score, score, document, text } = record(result);
  const value = relevance_score ?? score;
  if (!Number.isSafeInteger(index) || (index as number) < 0) return undefined;
  if (typeof value !== 'number') return undefined;
  return { index: index as number, score: value, text: textOf(document ?? text) };
}

/** `meta.tokens.input_tokens`, or `meta.billed_units.input_tokens` where that is what is paid for. */
function readMetaUsage(meta: JsonRecord): TokenUsage | undefined {
  const tokens = record(meta['tokens'])['input_tokens'] ?? record(meta['billed_units'])['input_tokens'];
  return tokens === undefined ? undefined : readInputUsage({ prompt_tokens: tokens });
}

function record(value: unknown): JsonRecord {
  return asRecord(value) ?? {};
}
