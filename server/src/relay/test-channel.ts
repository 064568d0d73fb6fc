// One real, cheap call to a channel, so that an operator sees whether address, key and model are right.
import type { Catalogue, Model } from '../catalogue/catalogue.ts';
import type { FailureClass } from '../errors/failure-class.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import type { UpstreamClient } from '../providers/call-upstream.ts';
import type { Provider, TestCall, TestLook } from '../providers/provider.ts';
import { findProvider } from '../providers/registry.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Router } from '../routing/candidates.ts';
import type { ChannelKey } from '../routing/channel-key.ts';
import type { Channel } from '../routing/channel.ts';
import type { Candidate } from '../routing/route.ts';
import { type AttemptDependencies, attemptWhole } from './attempt.ts';
import { Cancellation } from '../providers/cancellation.ts';
import { hideUpstream } from './hide-upstream.ts';
import { speakTo, type Spoken } from './translate.ts';
import { type LookDependencies, lookUpstream } from './look-upstream.ts';

export interface ChannelTestDependencies {
  client: UpstreamClient;
  router: Router;
  catalogue: Catalogue;
  /** A key was just answered. */
  onWorks?(channel: Channel, key: ChannelKey): void;
}

export interface ChannelTestResult {
  ok: boolean;
  status: number | null;
  latency_ms: number;
  message: string;
}

export async function testChannel(
  dependencies: ChannelTestDependencies,
  { channelId, model, keyId }: { channelId: string; model: string; keyId?: string | undefined },
): Promise<ChannelTestResult> {
  const channel = dependencies.router.channels(dependencies.catalogue).find((one) => one.facts.id === channelId);
  if (channel === undefined) throw new GatewayError('not_found', { message: `There is no channel "${channelId}".` });
  if (!channel.facts.models.has(model))
    throw invalidRequest(`The channel does not carry the model "${model}".`, 'model');
  const provider = findProvider(channel.facts.provider);
  if (provider === undefined)
    throw invalidRequest(`A channel of provider "${channel.facts.provider}" cannot be tested yet.`, 'provider');

  const key =
    keyId === undefined ? (channel.keysInUse[0] ?? channel.keys[0]) : channel.keys.find(({ id }) => id === keyId);
  if (key === undefined) throw invalidRequest('The channel has no such key.', 'key_id');
  const { failure: _, ...result } = await testKey(dependencies, { channel, key }, { provider, model });
  if (result.ok) dependencies.onWorks?.(channel, key);
  return result;
}

export interface KeyTestResult extends ChannelTestResult {
  /** Why it is not ok, where the call failed. */
  failure?: UpstreamError;
}

export interface KeyTest {
  provider: Provider;
  model: string;
  /** The one that suits the model where it is absent. */
  test?: TestCall | TestLook | undefined;
  /** Ends the call early. */
  cancellation?: Cancellation;
}

/** The same call with one key. */
export async function testKey(
  { client, catalogue }: Pick<ChannelTestDependencies, 'client' | 'catalogue'>,
  candidate: Candidate,
  { provider, test, model, cancellation = new Cancellation() }: KeyTest,
): Promise<KeyTestResult> {
  const startedAt = performance.now();
  const result = (ok: boolean, status: number | null, message: string): ChannelTestResult => ({
    ok,
    status,
    latency_ms: Math.round(performance.now() - startedAt),
    message: hideUpstream(message, candidate),
  });
  try {
    const wanted = test ?? testOf(provider, catalogue.models.get(model));
    const { status, ok, proof } =
      'look' in wanted
        ? await look({ client, cancellation, provider }, candidate, wanted)
        : await ask({ client, cancellation, ...inItsWords(candidate, wanted, model) }, candidate);
    return result(ok, status, ok ? proof : 'The upstream answered, but not in the protocol of this provider.');
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { ...result(false, error.facts.status ?? null, describeFailure(error)), failure: error };
  } finally {
    cancellation.clear();
  }
}

const MEDIA_UNITS = new Set(['image', 'characters', 'audio_second']);

/** What decides how a model is tested. */
export type TestedModel = Pick<Model, 'endpointTypes'> & { price: { unit: string } | undefined };

/** A healthy upstream refuses to chat with a model of vectors, or of images. */
export function testOf({ test, otherTests }: Provider, model: TestedModel | undefined): TestCall | TestLook {
  const types = model?.endpointTypes ?? [];
  const isOnlyFor = (type: string): boolean => types.length > 0 && types.every((one) => one === type);
  if (isOnlyFor('embeddings')) return otherTests?.embeddings ?? test;
  const isMedia = isOnlyFor('image-generation') || MEDIA_UNITS.has(model?.price?.unit ?? '');
  return isMedia ? (otherTests?.media ?? test) : test;
}

const SHOWN = 600;

/** What to look at, by what went wrong. */
const ADVICE: Readonly<Record<FailureClass, string>> = {
  refused: 'Check the name of the model at the upstream, and "base_url".',
  unauthorised: 'Check the "keys" of the channel.',
  limited: 'The upstream limits calls: try again later.',
  overloaded: 'The upstream has a problem of its own: try again later.',
  'timed-out': 'Check "base_url", or raise the times in "options".',
  unreachable: 'Check "base_url", and that this machine can reach it.',
  malformed: 'Check "provider" and "base_url": this is not the protocol that was expected.',
  aborted: 'Try again.',
};

/** The upstream's own words where it has some, then what to do. */
export function describeFailure({ message, errorClass, facts: { upstreamMessage } }: UpstreamError): string {
  const words = upstreamMessage ?? message;
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return `${sentence}${/[.!?]$/.test(sentence) ? '' : '.'} ${ADVICE[errorClass]}`;
}

/** An upstream that lacks the protocol of the test is asked in one that it has. */
function inItsWords(candidate: Candidate, { protocol, request }: TestCall, model: string): Spoken {
  const call = { protocol, requestId: 'test', strict: false };
  return speakTo(candidate, { call, request: request(model), createdAt: Date.now(), defaultMaxOutput: 16 });
}

interface Answered {
  status: number;
  ok: boolean;
  /** What an answer that is one proves. */
  proof: string;
}

async function ask(dependencies: AttemptDependencies, candidate: Candidate): Promise<Answered> {
  const { status, body, contentType } = await attemptWhole(dependencies, candidate);
  const answer = dependencies.protocol.readAnswer(body, contentType);
  return { status, ok: answer !== undefined && !answer.hasError, proof: `The upstream answered: ${beginning(body)}` };
}

/** Enough of an answer to see that it is one; its address and keys are hidden afterwards. */
function beginning(body: Buffer): string {
  const text = body
    .subarray(0, 4 * SHOWN)
    .toString('utf8')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text;
}

async function look(dependencies: LookDependencies, candidate: Candidate, test: TestLook): Promise<Answered> {
  const { status, body } = await lookUpstream(dependencies, candidate, test);
  const proof = 'The upstream answered. Address and key are right; the model was not tried, since that would cost.';
  return { status, ok: test.isAnswer(body), proof };
}
