// One look at an upstream for a test of its channel: a GET that makes nothing. Throws an UpstreamError when there is no
// answer of success.
import { buildUpstreamRequest, upstreamSettings, type SigningProvider } from '../providers/build-request.ts';
import type { UpstreamClient } from '../providers/call-upstream.ts';
import type { Provider, TestLook } from '../providers/provider.ts';
import type { Candidate } from '../routing/route.ts';
import { secretsOf } from '../routing/secrets-of.ts';
import { CollectedAnswer, type WholeResult } from '../providers/collect-answer.ts';
import type { Cancellation } from '../providers/cancellation.ts';
import { sendUpstream } from '../providers/send-upstream.ts';

export interface LookDependencies {
  client: UpstreamClient;
  cancellation: Cancellation;
  provider: SigningProvider & Pick<Provider, 'refusals'>;
}

export function lookUpstream(
  dependencies: LookDependencies,
  candidate: Candidate,
  test: TestLook,
): Promise<WholeResult> {
  return new Promise((resolve, reject) => {
    const { client, cancellation, provider } = dependencies;
    const request = buildUpstreamRequest(provider, candidate, {
      method: 'GET',
      path: typeof test.look === 'string' ? test.look : test.look(upstreamSettings(candidate)),
      headers: { accept: 'application/json' },
      body: null,
      mask: secretsOf(candidate),
      client,
    });
    const { readComplaint } = test;
    const { refusals } = provider;
    const answer = new CollectedAnswer({ readComplaint, refusals, stream: undefined, expects: '', resolve, reject });
    sendUpstream({ client, cancellation, answer, totalMs: candidate.channel.facts.options.totalMs }, request);
  });
}
