// Which operations can be put in the words of which others, and how.
import { cohereEmbedClient } from '../cohere-embed/index.ts';
import {
  batchEmbedContentsClient,
  batchEmbedContentsUpstream,
  embedContentClient,
} from '../gemini-embeddings/index.ts';
import { openaiEmbeddingsClient, openaiEmbeddingsUpstream } from '../openai-embeddings/index.ts';
import type { Operation, RelayRequest, UpstreamProtocol } from '../protocol.ts';
import { textProtocols } from '../text-protocols.ts';
import { translateRequest, type Translation } from './translate.ts';
import { type EmbeddingClientSide, type EmbeddingUpstreamSide, translateEmbedding } from './translate-embedding.ts';

export interface Translated {
  protocol: UpstreamProtocol;
  request: RelayRequest;
}

const embeddingClients: ReadonlyMap<Operation, EmbeddingClientSide> = new Map([
  ['embeddings', openaiEmbeddingsClient],
  ['embed-content', embedContentClient],
  ['batch-embed-contents', batchEmbedContentsClient],
  ['cohere-embed', cohereEmbedClient],
]);
const embeddingUpstreams: ReadonlyMap<Operation, EmbeddingUpstreamSide> = new Map([
  ['embeddings', openaiEmbeddingsUpstream],
  ['batch-embed-contents', batchEmbedContentsUpstream],
]);

const ofText: readonly Operation[] = [...textProtocols.keys()];
const ofVectors: readonly Operation[] = [...embeddingUpstreams.keys()];

/** What may be asked of an upstream that lacks the operation itself, the best first. */
export function alternativesTo(operation: Operation): readonly Operation[] {
  if (textProtocols.has(operation)) return ofText;
  return embeddingClients.has(operation) ? ofVectors : [];
}

/** Where a caller of the operation limits its output; undefined where nobody can. */
export function outputLimitField(operation: Operation): string | undefined {
  return textProtocols.get(operation)?.client?.settingPaths.maxOutputTokens;
}

/** undefined when the one cannot be put as the other. */
export function translateInto(
  operation: Operation,
  { request, wanted, ...rest }: { request: RelayRequest; wanted: Operation } & Omit<Translation, 'from' | 'to'>,
): Translated | undefined {
  const text = textProtocols.get(wanted)?.client;
  const textUpstream = textProtocols.get(operation)?.upstream;
  if (text !== undefined && textUpstream !== undefined)
    return translated(textUpstream.protocol, translateRequest(request, { ...rest, from: text, to: textUpstream }));
  const vectors = embeddingClients.get(wanted);
  const vectorsUpstream = embeddingUpstreams.get(operation);
  if (vectors === undefined || vectorsUpstream === undefined) return undefined;
  const { strict, id } = rest;
  return translated(
    vectorsUpstream.protocol,
    translateEmbedding(request, { from: vectors, to: vectorsUpstream, strict, id }),
  );
}

function translated(protocol: UpstreamProtocol, request: RelayRequest | undefined): Translated | undefined {
  return request === undefined ? undefined : { protocol, request };
}
