// The protocol in which a candidate is asked: the caller's own, its bytes hardly touched, or translated into another.
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Operation, RelayRequest, UpstreamProtocol, WholeAnswer } from '../protocols/protocol.ts';
import { cannotBeTranslated } from '../protocols/translation/translate.ts';
import { translateInto } from '../protocols/translation/translations.ts';
import { operationFor } from '../providers/registry.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Candidate } from '../routing/route.ts';
import { type Clock, systemClock, unixSeconds } from '../shared/clock.ts';
import type { RelayCall } from './call.ts';
import type { Cancellation } from '../providers/cancellation.ts';
import type { WholeResult } from '../providers/collect-answer.ts';

export interface Spoken {
  protocol: UpstreamProtocol;
  request: RelayRequest;
}

export interface TranslationFacts {
  call: Pick<RelayCall, 'protocol' | 'requestId' | 'strict'>;
  request: RelayRequest;
  /** Unix milliseconds. */
  createdAt: number;
  dependencies?: { clock: Clock };
  /** What the model may say at most, where the caller does not limit it. */
  defaultMaxOutput: number;
}

interface DroppedFrom {
  call: Pick<RelayCall, 'reply'>;
  /** What was tried before. */
  facts: { attempts: readonly unknown[] };
}

const DROPPED = 'x-tollgate-dropped';
const MOST_HEADER_BYTES = 4_000;

export function speakTo({ channel }: Candidate, facts: TranslationFacts): Spoken {
  const { protocol } = facts.call;
  const operation = operationFor(channel.facts, protocol.operation, facts.request.model);
  if (operation === protocol.operation) return { protocol, request: facts.request };
  const translated =
    operation === undefined
      ? undefined
      : translateInto(operation, {
          ...facts,
          wanted: protocol.operation,
          id: facts.call.requestId.replace(/[^A-Za-z0-9]/g, ''),
          created: Math.floor(facts.createdAt / 1000),
          now: () => unixSeconds(facts.dependencies?.clock ?? systemClock),
          strict: facts.call.strict,
        });
  if (translated === undefined) throw new UpstreamError('malformed', `no ${protocol.operation} there`);
  return translated;
}

/** Text of a request whose translation takes several milliseconds. */
const LARGE_TEXT = 128 * 1024;

interface Step {
  request: RelayRequest;
  cancellation: Cancellation;
}

/** To be awaited between reading and writing a translated request: other requests run in between where it is large. */
export function betweenSteps({ request }: Spoken, { request: own, cancellation }: Step): Promise<void> | undefined {
  if (request === own || (own.inputBytes < LARGE_TEXT && own.mediaCount === 0)) return undefined;
  return new Promise((resolve, reject) => {
    setImmediate(() => (cancellation.reason === undefined ? resolve() : reject(cancellation.reason)));
  });
}

/** Whether the channel is asked in the caller's own protocol: then ids in its answers are the upstream's own. */
export function speaksOwn(catalogue: Catalogue, channelId: string, operation: Operation): boolean {
  const facts = catalogue.channels.find(({ id }) => id === channelId);
  return facts !== undefined && operationFor(facts, operation) === operation;
}

/** Names in the answer's head what could not be sent to the upstream (contract 5). Call when the request is written. */
export function reportDropped(
  { call: { reply }, facts }: DroppedFrom,
  { dropped = [] }: { dropped?: readonly string[] },
): void {
  if (dropped.length > 0) reply.setHeader(DROPPED, headerText(dropped));
  else if (facts.attempts.length > 0) reply.setHeader(DROPPED, undefined); // what was said of a channel that failed
}

/** For a strict caller, where nobody translates. */
export function refuseDropped({ dropped = [] }: { dropped?: readonly string[] }): void {
  if (dropped.length > 0) throw cannotBeTranslated(dropped);
}

/** Names come from the caller's JSON and may hold anything; a comma or a line end must not. */
function headerText(paths: readonly string[]): string {
  const text = paths
    .map((path) => path.toWellFormed().replace(/[^\x21-\x2b\x2d-\x7e]/gu, encodeURIComponent))
    .join(', ');
  return text.length <= MOST_HEADER_BYTES ? text : `${text.slice(0, MOST_HEADER_BYTES)}...`;
}

/** A whole answer, checked to be one of the protocol, with the bytes that the client gets for it. */
export interface ReadWhole {
  result: WholeResult;
  answer: WholeAnswer;
}

/** Throws the failure of the attempt when the answer is none. */
export function readWhole({ protocol, request: { writeAnswer } }: Spoken, result: WholeResult): ReadWhole {
  const { status } = result;
  try {
    const answer = protocol.readAnswer(result.body, result.contentType);
    const body = writeAnswer === undefined ? result.body : writeAnswer(result.body);
    if (answer !== undefined && !answer.hasError && body !== undefined) {
      // What we wrote ourselves is JSON, whatever the upstream called its own.
      const contentType = writeAnswer === undefined ? result.contentType : 'application/json';
      return { result: { ...result, contentType, body }, answer };
    }
  } catch (cause) {
    // Whatever an upstream says, it is its fault if it cannot be read: values nested without end, for instance.
    throw new UpstreamError('malformed', 'the answer cannot be read', { status, cause });
  }
  throw new UpstreamError('malformed', 'the answer is not of the protocol', { status });
}
