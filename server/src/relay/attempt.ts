// One call to one channel, whole or streamed. Resolves with something that can be delivered, or throws an UpstreamError
// whose class decides what happens next.
import type { RelayRequest, UpstreamProtocol } from '../protocols/protocol.ts';
import { BytesReader } from '../protocols/stream/relay-bytes.ts';
import { buildUpstreamRequest, requestTarget, upstreamSettings } from '../providers/build-request.ts';
import type { UpstreamClient } from '../providers/call-upstream.ts';
import type { UpstreamRequest } from '../providers/upstream-request.ts';
import { readFramed, sse, type UpstreamFraming } from '../providers/framing/framing.ts';
import { findProvider } from '../providers/registry.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Candidate } from '../routing/route.ts';
import { secretsOf } from '../routing/secrets-of.ts';
import { CollectedAnswer, type CollectSettings, type WholeResult } from '../providers/collect-answer.ts';
import type { Cancellation } from '../providers/cancellation.ts';
import { OpenStream } from './open-stream.ts';
import { sendUpstream } from '../providers/send-upstream.ts';

export interface AttemptDependencies {
  client: UpstreamClient;
  cancellation: Cancellation;
  protocol: UpstreamProtocol;
  request: RelayRequest;
  /** Called when the request is written and about to be sent; what it throws is the caller's failure, and nothing is sent. */
  onWritten?(): void;
  /** Called when the upstream begins to answer whole although a stream was asked for. */
  onWhole?(): void;
}

export function attemptWhole(dependencies: AttemptDependencies, candidate: Candidate): Promise<WholeResult> {
  return new Promise((resolve, reject) => {
    const { readComplaint } = dependencies.protocol;
    const judging = judgingOf(candidate);
    const opened = (result: WholeResult): void => resolve(withoutEnvelope(result, candidate, dependencies.protocol));
    const settings = { readComplaint, ...judging, stream: undefined, expects: '', resolve: opened, reject };
    begin(dependencies, candidate, new CollectedAnswer(settings));
  });
}

/**
 * Resolves with the first event, or the first bytes, at hand; until then nothing has been said to the client. With a
 * whole answer where the protocol allows that and the upstream does not stream.
 */
export function attemptStream(
  dependencies: AttemptDependencies,
  candidate: Candidate,
): Promise<OpenStream | WholeResult> {
  return new Promise((resolve, reject) => {
    const { request, protocol } = dependencies;
    const { readComplaint } = protocol;
    const framing = request.stream ? framingOf(candidate, protocol) : undefined;
    const reader = framing === undefined ? new BytesReader() : readFramed(request.readStream(), framing);
    const stream = new OpenStream(reader, { resolve, reject });
    const expects = framing?.contentType ?? '';
    const onWhole = protocol.mayAnswerWhole === true ? () => dependencies.onWhole?.() : undefined;
    const judging = judgingOf(candidate);
    const answer = new CollectedAnswer({ readComplaint, ...judging, stream, expects, onWhole, resolve, reject });
    begin(dependencies, candidate, answer);
  });
}

/** An answer that is not in its envelope is none of the protocol either, and is judged as such. */
function withoutEnvelope(result: WholeResult, { channel }: Candidate, { operation }: UpstreamProtocol): WholeResult {
  const envelope = findProvider(channel.facts.provider)?.envelopes?.[operation];
  const body = envelope?.read(result.body);
  return body === undefined ? result : { ...result, body };
}

function judgingOf({ channel }: Candidate): Pick<CollectSettings, 'refusals' | 'statuses'> {
  const { refusals, statuses } = findProvider(channel.facts.provider) ?? {};
  return { refusals, statuses };
}

function framingOf({ channel }: Candidate, { operation }: UpstreamProtocol): UpstreamFraming {
  return findProvider(channel.facts.provider)?.framings?.[operation] ?? sse;
}

function begin(dependencies: AttemptDependencies, candidate: Candidate, answer: CollectedAnswer): void {
  const request = upstreamRequest(dependencies, candidate);
  dependencies.onWritten?.();
  const { client, cancellation } = dependencies;
  sendUpstream({ client, cancellation, answer, totalMs: candidate.channel.facts.options.totalMs }, request);
}

function upstreamRequest(
  { protocol, request, client }: AttemptDependencies,
  candidate: Candidate,
): UpstreamRequest | Promise<UpstreamRequest> {
  const { facts } = candidate.channel;
  const provider = findProvider(facts.provider);
  const path = provider?.paths[protocol.operation];
  if (provider === undefined || path === undefined)
    throw new UpstreamError('malformed', `no ${protocol.operation} there`);
  const upstreamModel = facts.models.get(request.model);
  if (upstreamModel === undefined) throw new UpstreamError('unreachable', 'the channel carries the model no longer');
  const { dropFields } = facts.options;
  const { operation } = protocol;
  const written = request.write(requestTarget(provider, { operation, request }, { upstreamModel, dropFields }));
  const envelope = provider.envelopes?.[operation];
  const body = envelope !== undefined && Buffer.isBuffer(written) ? envelope.write(written) : written;
  return buildUpstreamRequest(provider, candidate, {
    method: 'POST',
    path: typeof path === 'string' ? path : path(upstreamModel, request.stream, upstreamSettings(candidate)),
    headers: {
      'content-type': Buffer.isBuffer(body) ? 'application/json' : body.contentType,
      accept: accepted(protocol, request.stream ? framingOf(candidate, protocol) : undefined),
      ...request.headers, // written by the endpoint, never a client's own names
    },
    body,
    mask: secretsOf(candidate),
    client,
  });
}

function accepted({ answers }: UpstreamProtocol, framing: UpstreamFraming | undefined): string {
  return framing?.accept ?? (answers === 'bytes' ? '*/*' : 'application/json');
}
