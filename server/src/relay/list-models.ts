// The models that an upstream has, by its own account: page by page, within bounds.
import { type Provider, type TestLook } from '../providers/provider.ts';
import { upstreamSettings } from '../providers/build-request.ts';
import type { UpstreamClient } from '../providers/call-upstream.ts';
import type { ModelList } from '../providers/model-list.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Candidate } from '../routing/route.ts';
import { Cancellation } from '../providers/cancellation.ts';
import { lookUpstream } from './look-upstream.ts';

export type ListingProvider = Provider & { models: ModelList };

const MOST_PAGES = 20;
const MOST_MODELS = 10_000;
const TOTAL_MS = 30_000;

/** Upstream names in their order, each once. Rejects with an UpstreamError. */
export async function listModels(
  client: UpstreamClient,
  provider: ListingProvider,
  candidate: Candidate,
): Promise<string[]> {
  const { models } = provider;
  const { path, read, readComplaint } = models;
  const found = new Set<string>();
  const cancellation = new Cancellation();
  cancellation.limit(TOTAL_MS);
  const there = elsewhere(candidate, models.baseUrl);
  const first = typeof path === 'string' ? path : path(upstreamSettings(there));
  try {
    let next: string | undefined;
    for (let page = 0; page < MOST_PAGES && found.size < MOST_MODELS; page++) {
      const look = next === undefined ? first : `${first}${first.includes('?') ? '&' : '?'}${next}`;
      const test: TestLook = { look, readComplaint, isAnswer: (body) => read(body) !== undefined };
      const { body, status } = await lookUpstream({ client, cancellation, provider }, there, test);
      const answer = read(body);
      if (answer === undefined)
        throw new UpstreamError('malformed', 'the upstream answered with something that is no list', { status });
      for (const id of answer.ids.slice(0, MOST_MODELS - found.size)) found.add(id);
      next = answer.next;
      if (next === undefined) break;
    }
  } finally {
    cancellation.clear();
  }
  return [...found];
}

/** The same channel at the address of its list. */
function elsewhere(candidate: Candidate, move: ModelList['baseUrl']): Candidate {
  if (move === undefined) return candidate;
  const { facts } = candidate.channel;
  const moved = Object.create(candidate.channel, { facts: { value: { ...facts, baseUrl: move(facts.baseUrl) } } });
  return { ...candidate, channel: moved as Candidate['channel'] };
}
