// The two protocols for vectors of generate-content providers, one and many: nothing but the list of their parts.
import type { EmbeddingResult, EmbeddingRequest } from '../../neutral/embedding.ts';
import { errorEvent, readComplaint } from '../gemini-generate-content/error.ts';
import { modelResource } from '../gemini-generate-content/wire.ts';
import { rewriteRecord } from '../json/write-json.ts';
import type { Protocol, RequestTarget } from '../protocol.ts';
import type { EmbeddingClientSide, EmbeddingUpstreamSide } from '../translation/translate-embedding.ts';
import { readEmbeddingAnswer, readResult } from './read-answer.ts';

export { readBatchEmbedContents, readEmbedContent } from './read-request.ts';

export const geminiEmbedContent: Protocol = {
  name: 'gemini-embed-content',
  operation: 'embed-content',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readEmbeddingAnswer,
  readComplaint,
  errorEvent,
};

export const geminiBatchEmbedContents: Protocol = {
  ...geminiEmbedContent,
  name: 'gemini-batch-embed-contents',
  operation: 'batch-embed-contents',
};

export const embedContentClient: EmbeddingClientSide = {
  dimensionsPath: 'outputDimensionality',
  writeResult: ({ vectors, usage }) => writeAnswer({ embedding: { values: vectors[0] } }, usage),
};

export const batchEmbedContentsClient: EmbeddingClientSide = {
  dimensionsPath: 'requests[0].outputDimensionality',
  writeResult: ({ vectors, usage }) => writeAnswer({ embeddings: vectors.map((values) => ({ values })) }, usage),
};

/** Every request for vectors can be put as a batch. */
export const batchEmbedContentsUpstream: EmbeddingUpstreamSide = {
  protocol: geminiBatchEmbedContents,
  dimensionsFields: ['outputDimensionality', 'output_dimensionality'],
  writeEmbeddingRequest,
  readResult,
};

function writeEmbeddingRequest(
  { texts, dimensions }: EmbeddingRequest,
  { upstreamModel, rewrite }: RequestTarget,
): Buffer {
  const requests = texts.map((text) => ({
    model: modelResource(upstreamModel),
    content: { parts: [{ text }] },
    outputDimensionality: dimensions,
  }));
  return Buffer.from(JSON.stringify(rewriteRecord({ requests }, rewrite)));
}

function writeAnswer(answer: object, usage: EmbeddingResult['usage']): Buffer {
  const reported = usage === undefined ? {} : { usageMetadata: { promptTokenCount: usage.input } };
  return Buffer.from(JSON.stringify({ ...answer, ...reported }));
}
