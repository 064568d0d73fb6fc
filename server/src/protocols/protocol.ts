// The contract every protocol fulfils, so that the relay can carry requests of any of them without naming one.
import type { EmbeddingRequest } from '../neutral/embedding.ts';
import type { Generation } from '../neutral/generation.ts';
import type { Extras, TokenUsage, ToolLimits } from '../neutral/usage.ts';
import type { JsonObject } from '../shared/json-fields.ts';
import type { JsonChanges } from '../shared/json-rewrite.ts';
import type { MadeReader } from '../neutral/made-object.ts';
import type { NamedObject } from './json/named-objects.ts';
import type { OutputMedia } from './json/output-media.ts';

/** What a caller wants done. A provider says which of these it can serve, and where. */
export type Operation =
  | 'chat'
  | 'completions'
  | 'responses'
  | 'messages'
  | 'generate-content'
  | 'converse'
  | 'interactions'
  | 'count-messages'
  | 'count-responses'
  | 'compact'
  | 'count-content'
  | 'cohere-chat'
  | 'embeddings'
  | 'embed-content'
  | 'batch-embed-contents'
  | 'cohere-embed'
  | 'moderations'
  | 'rerank'
  | 'image-generation'
  | 'image-edit'
  | 'image-variation'
  | 'speech'
  | 'transcription'
  | 'translation'
  | 'realtime';

/** What the relay must know of a request; the bytes themselves stay with the protocol that read them. */
export interface RelayRequest {
  model: string;
  /** The answer is to come as events. */
  stream: boolean;
  maxOutputTokens: number | undefined;
  /** How many alternatives are asked for; each may use the whole output. */
  choices: number;
  /** Bytes that are text, and pieces that are embedded media: what an estimate goes by. */
  inputBytes: number;
  mediaCount: number;
  /** Part of the input is kept by the upstream: the body does not say how long it is. */
  refersElsewhere?: boolean;
  /** May the upstream add input that the body does not hold? Asked only when the body is too short for what was reported. */
  namesSource?(): boolean;
  /** Might it? By a search of its bytes: asked where a longer input has rates of its own, and searched once. */
  mayNameSource?(): boolean;
  /** What it names that an upstream keeps under our key: each must be the caller's own. Asked once. */
  namedObjects?(): readonly NamedObject[];
  /** Finds what its answer made that the upstream keeps, where it may make something. */
  made?: MadeReader | undefined;
  /** Does it mark what the upstream is to keep of it? Asked only where that has a price, and searched once. */
  marksCache?(): boolean;
  /** The service tiers that it asks for; undefined where it leaves that to the upstream. */
  serviceTiers?: readonly AskedTier[] | undefined;
  /** Tools that run at the provider. Asked only where they have a price or are not to be passed on. */
  serverTools?(): ServerTools;
  /** What may be answered beside text, where the request says so. */
  outputMedia?: OutputMedia;
  /** What is asked for beyond text, where the operation has it. */
  images?: ImageRequest;
  characters?: number;
  audioMs?: number;
  /** The audio does not tell its length: `audioMs` is a guess from its size. */
  audioIsGuessed?: boolean;
  /** It goes on at the upstream when its caller has left. */
  background?: boolean;
  /** The request for an upstream of the same protocol: only what the gateway owns is changed. */
  write(target: RequestTarget): UpstreamBody;
  /** The same request with this limit of output tokens, where it has one; undefined when that is too low for it. */
  fit?(maxOutputTokens: number): RelayRequest | undefined;
  /** Follows the stream that answers it. */
  readStream(): StreamReader;
  /** What the caller gets for a whole answer, where that is not the upstream's bytes; undefined when it does not fit. */
  writeAnswer?(body: Buffer): Buffer | undefined;
  /** How the stream is put for the client, where that is not as server-sent events. */
  readonly framing?: StreamFraming;
  /** Headers of the caller that mean something to an upstream of the same protocol. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The request in the neutral form, where it is one for text: read when an upstream of another protocol is asked. */
  readGeneration?(): Generation;
  /** The same for one of vectors. */
  readEmbedding?(): EmbeddingRequest;
  /** After `write`: what could not be translated, in the caller's own names. */
  readonly dropped?: readonly string[];
}

/** What is read from the bytes of a request; how it is written and answered stands with its protocol. */
export interface ReadRequest extends Omit<RelayRequest, 'write' | 'readStream'> {
  json: JsonObject;
}

export interface AskedTier {
  /** As `readTier` names it; '' where it is no name. */
  name: string;
  /** Where it stands in the body. */
  field: string;
}

export interface ServerTool {
  /** As prices name it. */
  name: string;
  /** In the caller's own words. */
  path: string;
  /** The request's own limit. */
  mostUses?: number | undefined;
}

export interface ServerTools {
  readonly list: readonly ServerTool[];
  /** The changes of the body that leave these out. */
  without(tools: readonly ServerTool[]): JsonChanges;
}

export interface StreamFraming {
  /** Of events where it is absent. */
  contentType?: string;
  /** Says nothing; sent when nothing was said for a while. A comment where it is absent. */
  keepAlive?: Buffer;
  /** Ends a broken stream. */
  errorEvent: Protocol['errorEvent'];
  /** Puts the events of a reader into this form; absent where they stay as they are. */
  wrap?(reader: StreamReader): StreamReader;
}

export interface ImageRequest {
  count: number;
  /** As the caller wrote them; they choose the price. */
  size: string | undefined;
  quality: string | undefined;
}

export interface RequestTarget {
  upstreamModel: string;
  dropFields: readonly string[];
  /** Fields of the caller that the gateway does not pass on as they came. */
  changes?: JsonChanges | undefined;
  /** Fields that this kind of upstream wants otherwise than the protocol says; wins over all others. */
  rewrite?: JsonChanges | undefined;
}

/** A body that is not held in memory, and can be sent again. */
export interface StoredBody {
  contentType: string;
  length: number;
  open(): AsyncIterable<Buffer> | readonly Buffer[];
}

/** Bytes are JSON. */
export type UpstreamBody = Buffer | StoredBody;

export interface WholeAnswer {
  usage: TokenUsage | undefined;
  /** Usage was reported, but no such counts can be: then there is no `usage`. */
  isDoubtful?: boolean;
  /** What raises its cost beside its tokens. */
  extras?: Extras | undefined;
  /** Images in the answer, where it is one of images. */
  images?: number;
  /** An answer of success that carries an error instead of a result. */
  hasError: boolean;
  /** Bytes of what was generated, roughly, for when nobody tells the usage. */
  outputBytes: number;
}

export interface UpstreamComplaint {
  /** It is our key that was refused, whatever the status says. */
  isOfKey?: boolean;
  /** The status that its code stands for, where the answer's own is not right. */
  status?: number | undefined;
  message: string | undefined;
  code: string | undefined;
  /** The kind of error, where it is said beside the code. */
  type?: string;
  param: string | undefined;
}

/** Follows one stream of an upstream of the same protocol: bytes in, whole events out. */
export interface StreamReader {
  /** Whole events for the client, unchanged; undefined while none is complete. Throws StreamError on what is not the protocol. */
  push(chunk: Buffer): Buffer | undefined;
  /** An event that is not a comment has come. */
  readonly started: boolean;
  /** The protocol's end has come; it is held back, so that money is settled before the client sees it. */
  readonly ended: boolean;
  /** What ends a good stream, sent after the money: the upstream's own last event or the protocol's marker. */
  readonly last: Buffer | undefined;
  /** Call when the upstream's answer is over without an end marker: was everything said? */
  isComplete(): boolean;
  readonly usage: TokenUsage | undefined;
  /** Usage was reported, but no such counts can be. */
  readonly isDoubtful?: boolean;
  /** What raises its cost beside its tokens, as far as it was reported. */
  readonly extras?: Extras | undefined;
  /** Pieces of output so far, for when nobody tells the usage. */
  readonly outputPieces: number;
  /** Images finished so far, where it is a stream of images. */
  readonly images?: number | undefined;
  /** The upstream reported an error inside the stream. */
  readonly complaint: UpstreamComplaint | undefined;
}

export class StreamError extends Error {
  override name = 'StreamError';
}

/** What the relay must know of the protocol that an upstream is asked in. Some have this side only: no client speaks them. */
export interface UpstreamProtocol {
  name: string;
  operation: Operation;
  /** Whole answers are read and kept until they are settled; bytes are passed on as they come. */
  answers: 'whole' | 'bytes';
  /** Not all of its upstreams can stream: what is no events although events were asked for is passed on whole. */
  mayAnswerWhole?: true;
  /** undefined when the bytes are not an answer of this protocol. */
  readAnswer(body: Buffer, contentType: string): WholeAnswer | undefined;
  /** What an upstream of this protocol says in an error answer. */
  readComplaint(body: Buffer): UpstreamComplaint;
  /** The most output tokens that a request in these bytes allows an answer; undefined where it names none. */
  readLimit?(body: Buffer): number | undefined;
  /** How often a request in these bytes lets tools be used that run at the provider; undefined where it does not say. */
  readToolLimits?(body: Buffer): ToolLimits | undefined;
  /** The fields of a request that ask for a service tier. */
  tierFields?: readonly string[];
}

/** One way of asking and answering, seen from the relay. How a request is read depends on its body: see each protocol. */
export interface Protocol extends UpstreamProtocol {
  /** Units of price that its calls can be charged by. */
  units: readonly string[];
  /** Ends a broken stream; `requestId` for protocols whose errors name the request. */
  errorEvent(error: StreamEndError, requestId?: string): Buffer;
}

export interface StreamEndError {
  message: string;
  type: string;
  param: string | null;
  code: string;
}
