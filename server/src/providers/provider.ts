// What the relay needs to know of a provider: which operations it serves and where, and how the key is sent.
import type { Operation, Protocol, RelayRequest, UpstreamComplaint } from '../protocols/protocol.ts';
import type { JsonChanges } from '../shared/json-rewrite.ts';
import type { Forget, Sign } from './credentials/sign.ts';
import type { UpstreamFraming } from './framing/framing.ts';
import type { ModelList } from './model-list.ts';
import type { ProviderFacts } from './provider-facts.ts';
import type { RefusalRule } from './refusals.ts';
import type { UpstreamSettings } from './upstream-settings.ts';
import type { VideoProvider } from './video-provider.ts';

export interface UpstreamAddress {
  origin: string;
  path: string;
}

/** Some providers name the model in the path, and ask for a stream there; clouds name more. */
export type OperationPath = string | ((upstreamModel: string, stream: boolean, settings: UpstreamSettings) => string);

/** What an upstream puts around the JSON of the protocol. */
export interface Envelope {
  write(body: Buffer): Buffer;
  /** undefined when the answer is none of its own. */
  read(body: Buffer): Buffer | undefined;
}

/** Values are JSON text. Changed as the request is written: nothing is parsed twice. */
export type BodyRewrite = JsonChanges | ((request: Pick<RelayRequest, 'stream' | 'headers'>) => JsonChanges);

export interface Provider {
  name: string;
  /** What people are shown of it. */
  facts: ProviderFacts;
  /** Path of an operation under the channel's base address; undefined where the provider has no such thing. */
  paths: Partial<Record<Operation, OperationPath>>;
  /** Operations that not every upstream of the provider has: `options.speaks` of a channel lists those it does have. */
  mayLack?: readonly Operation[];
  /** Does a model of this upstream name have the operation? Asked only for those of `paths`; all have all where absent. */
  carries?(operation: Operation, upstreamModel: string): boolean;
  /** Fields of the body that are not as the protocol of the operation says. */
  rewrites?: Partial<Record<Operation, BodyRewrite>>;
  /** What stands around the bodies of an operation, request and whole answer. */
  envelopes?: Partial<Record<Operation, Envelope>>;
  /** How its streams are cut into events, where that is not as server-sent events. */
  framings?: Partial<Record<Operation, UpstreamFraming>>;
  /** Statuses of its error answers that mean another. */
  statuses?: Readonly<Record<number, number>>;
  /** What its models can be listed as (spec 2.7). */
  endpointTypes: readonly string[];
  /** Sent with every request; a caller's own value wins over them, and they over the channel's. */
  headers?: Readonly<Record<string, string>>;
  /** How a request proves whose it is: the last step before it is sent (`credentials/`). */
  sign: Sign;
  /** For credentials of which tokens are made: drops one that was refused, so that the next call gets another. */
  forget?: Forget;
  /** What is wrong with a credential that an operator wants to store; undefined when it can be used. */
  checkCredential?(credential: string): string | undefined;
  /** Whom its refusals are about; the common rules where it declares none. */
  refusals?: readonly RefusalRule[];
  /** An operator's test of a channel. */
  test: TestCall | TestLook;
  /** The same for models that are not asked in words, where the provider has some. */
  otherTests?: Partial<Record<'embeddings' | 'media', TestCall | TestLook>>;
  /** A look that costs nothing, and that a key which is refused does not get answered; the test decides where it is. */
  look?: TestLook;
  /** How it lists its models, where it can. */
  models?: ModelList;
  /** Its asynchronous videos, where it makes them. */
  video?: VideoProvider;
}

/** The cheapest call there is. */
export interface TestCall {
  protocol: Protocol;
  request(model: string): RelayRequest;
}

/** For providers whose cheapest call costs much: a GET that makes nothing, and that only a valid key gets answered. */
export interface TestLook {
  /** Path and query under the channel's base address. */
  look: string | ((settings: UpstreamSettings) => string);
  isAnswer(body: Buffer): boolean;
  readComplaint(body: Buffer): UpstreamComplaint;
}

const bases = new Map<string, UpstreamAddress & { query: string }>();

/** Splits a channel's base address, once, and appends a path to it; a query of the address stays, behind the path's own. */
export function addressUnder(baseUrl: string, path: string): UpstreamAddress {
  let base = bases.get(baseUrl);
  if (base === undefined) {
    const url = new URL(baseUrl);
    base = { origin: url.origin, path: url.pathname.replace(/\/+$/, ''), query: url.search.slice(1) };
    if (bases.size > 10_000) bases.clear();
    bases.set(baseUrl, base);
  }
  const whole = base.path + path;
  if (base.query === '') return { origin: base.origin, path: whole };
  return { origin: base.origin, path: `${whole}${whole.includes('?') ? '&' : '?'}${base.query}` };
}
