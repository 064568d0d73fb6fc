// One look at an upstream for a test of its channel: a GET that makes nothing. Throws an UpstreamError when there is no
// answer of success.
import type { UpstreamClient } from '../providers/call-upstream.ts';
import { addressUnder, type Provider, type TestLook } from '../providers/provider.ts';
import type { Candidate } from '../routing/route.ts';
import { secretsOf } from '../routing/secrets-of.ts';
import { CollectedAnswer, type WholeResult } from './collect-answer.ts';
import type { Cutoff } from './cutoff.ts';

export interface LookParts {
  client: UpstreamClient;
  cutoff: Cutoff;
  provider: Pick<Provider, 'authHeaders' | 'refusals'>;
}

export function lookUpstream(parts: LookParts, candidate: Candidate, test: TestLook): Promise<WholeResult> {
  const { channel, key } = candidate;
  const { facts } = channel;
  const request = {
    ...addressUnder(facts.baseUrl, test.look),
    method: 'GET' as const,
    headers: {
      ...facts.headers,
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...parts.provider.authHeaders(key.secret),
    },
    body: null,
    limits: facts.options,
    mask: secretsOf(candidate),
  };
  return new Promise((resolve, reject) => {
    const { readComplaint } = test;
    const { refusals } = parts.provider;
    const answer = new CollectedAnswer({ readComplaint, refusals, stream: undefined, expects: '', resolve, reject });
    const call = parts.client.call(request, answer);
    answer.call = call;
    parts.cutoff.limit(facts.options.totalMs);
    parts.cutoff.follow((reason) => call.abort(reason));
  });
}
