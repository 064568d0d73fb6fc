// One call to one channel, whole or streamed. Resolves with something that can be delivered, or throws an UpstreamError
// whose class decides what happens next.
import type { TextProtocol, TextRequest } from '../protocols/protocol.ts';
import type { UpstreamClient, UpstreamRequest } from '../providers/call-upstream.ts';
import { textProvider } from '../providers/registry.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Candidate } from '../routing/route.ts';
import { CollectedAnswer, type WholeResult } from './collect-answer.ts';
import type { Cutoff } from './cutoff.ts';
import { OpenStream } from './open-stream.ts';

export interface AttemptParts {
  client: UpstreamClient;
  cutoff: Cutoff;
  protocol: TextProtocol;
  request: TextRequest;
}

export function attemptWhole(parts: AttemptParts, candidate: Candidate): Promise<WholeResult> {
  return new Promise((resolve, reject) => {
    const { readComplaint } = parts.protocol;
    begin(parts, candidate, new CollectedAnswer({ readComplaint, stream: undefined, resolve, reject }));
  });
}

/** Resolves with the first event at hand; until then nothing has been said to the client. */
export function attemptStream(parts: AttemptParts, candidate: Candidate): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const { readComplaint } = parts.protocol;
    const stream = new OpenStream(parts.protocol.readStream(parts.request), { resolve, reject });
    const answer = new CollectedAnswer({ readComplaint, stream, resolve: () => {}, reject });
    begin(parts, candidate, answer);
    stream.call = answer.call;
  });
}

function begin(parts: AttemptParts, candidate: Candidate, answer: CollectedAnswer): void {
  const call = parts.client.call(upstreamRequest(parts, candidate), answer);
  answer.call = call;
  parts.cutoff.limit(candidate.channel.facts.options.totalMs);
  parts.cutoff.follow((reason) => call.abort(reason));
}

function upstreamRequest({ protocol, request }: AttemptParts, { channel, key }: Candidate): UpstreamRequest {
  const { facts } = channel;
  const provider = textProvider(facts.provider);
  if (provider === undefined) throw new UpstreamError('malformed', `provider ${facts.provider} generates no text`);
  const upstreamModel = facts.models.get(request.model) ?? request.model;
  return {
    ...provider.textAddress(facts.baseUrl, upstreamModel),
    method: 'POST',
    headers: {
      ...facts.headers,
      'content-type': 'application/json',
      accept: request.stream ? 'text/event-stream' : 'application/json',
      'accept-encoding': 'identity',
      ...provider.authHeaders(key.secret),
    },
    body: protocol.writeRequest(request, { upstreamModel, dropFields: facts.options.dropFields }),
    limits: facts.options,
  };
}
