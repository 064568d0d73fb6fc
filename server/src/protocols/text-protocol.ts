// What a text protocol must know so that its clients reach upstreams of every other one, and its upstreams clients of
// every other one: each direction goes through the neutral form.
import type { Dropped } from '../neutral/dropped.ts';
import type { Generation, GenerationResult, SettingPaths } from '../neutral/generation.ts';
import type { StreamPart } from '../neutral/stream-part.ts';
import type { Extras, TokenUsage } from '../neutral/usage.ts';
import type { JsonChanges } from '../shared/json-rewrite.ts';
import type { NameLimits } from './translation/fit-names.ts';
import type { UpstreamProtocol } from './protocol.ts';
import type { SseEvent } from './stream/sse.ts';

/** Said to a client of the protocol: what it asked for was asked of an upstream of another. */
export interface ClientSide {
  /** Name of the protocol, as signatures carry it. */
  name: string;
  /** Where its callers find each setting. */
  settingPaths: SettingPaths;
  /** Its answers have no place for pictures: they are left out and named (`pathOfPicture`). */
  lacksPictures?: true;
  /** Writes a whole result as this protocol's answer. */
  writeResult(result: GenerationResult, context: AnswerContext): Buffer;
  /** Writes a stream; one writer per stream. */
  writeStream(context: AnswerContext): PartsWriter;
}

/** Said to an upstream of the protocol, on behalf of a client of another. */
export interface UpstreamSide {
  name: string;
  /** What its call ids and tool names may be. */
  names: NameLimits;
  protocol: UpstreamProtocol;
  /** It refuses turns without words, or with empty ones: they are left out. */
  lacksEmptyTexts?: true;
  /** Everything it cannot express is named in `dropped`. */
  writeGeneration(generation: Generation, target: GenerationTarget): Buffer;
  /** undefined when the bytes are not an answer of this protocol. */
  readResult(body: Buffer): GenerationResult | undefined;
  /** Reads a stream; one reader per stream. */
  readStream(): PartsReader;
}

export interface GenerationTarget {
  upstreamModel: string;
  /** Fields of the upstream's own request that the channel wants left out. */
  dropFields: readonly string[];
  /** As in RequestTarget. */
  rewrite?: JsonChanges | undefined;
  /** For protocols that need a limit where the caller gave none. */
  defaultMaxOutput: number;
  dropped: Dropped;
}

export interface AnswerContext {
  /** Unique, letters and digits only: ids of the answer are made of it. */
  id: string;
  /** Unix seconds. */
  created: number;
  /** Unix seconds when it is called; where it is absent an answer ends when it begins. */
  now?: () => number;
  generation: Generation;
}

export interface PartsReader {
  /** Throws StreamError on what is not the protocol. The `finish` comes last, with the usage in it. */
  push(event: SseEvent): StreamPart[];
  /** The upstream's answer is over without the protocol's own end: what is still to be said, with a `finish` if all was. */
  end(): StreamPart[];
  /** The newest that was reported, for a stream that breaks before its `finish`. */
  readonly usage?: TokenUsage | undefined;
  /** Usage was reported, but no such counts can be. */
  readonly isDoubtful?: boolean;
  /** What raises its cost beside its tokens, as far as it was reported. */
  readonly extras?: Extras | undefined;
  /** false where that says nothing of the output that is still to come. */
  readonly outputIsReported?: boolean;
}

export interface PartsWriter {
  /** Text of whole events, '' when the part says nothing in this protocol. The finish includes the protocol's end. */
  write(part: StreamPart): string;
}

/** How a picture is named that a client's protocol has no place for: by its place in the upstream's answer. */
export function pathOfPicture(index: number): string {
  return `response.content[${index}]`;
}
