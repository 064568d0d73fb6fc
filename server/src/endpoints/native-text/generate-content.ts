// POST /v1beta/models/{model}:{method} (spec 4.5, contract 5): the method decides what is done.
import { GatewayError } from '../../errors/gateway-error.ts';
import {
  geminiBatchEmbedContents,
  geminiEmbedContent,
  readBatchEmbedContents,
  readEmbedContent,
} from '../../protocols/gemini-embeddings/index.ts';
import {
  countContent,
  geminiGenerateContent,
  readCountTokens,
  readGenerateContent,
  writeTokenCount,
} from '../../protocols/gemini-generate-content/index.ts';
import type { Protocol, RelayRequest } from '../../protocols/protocol.ts';
import { countTokens } from '../../relay/count-tokens.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint, EndpointDependencies, Exchange } from '../endpoint.ts';

type Method = (dependencies: EndpointDependencies, exchange: Exchange, model: string) => Promise<void>;

const methods: Readonly<Record<string, Method>> = {
  generateContent: (dependencies, exchange, model) => generate(dependencies, exchange, { model, stream: false }),
  streamGenerateContent: (dependencies, exchange, model) => generate(dependencies, exchange, { model, stream: true }),
  countTokens: count,
  embedContent: (dependencies, exchange, model) =>
    embed(dependencies, exchange, { model, protocol: geminiEmbedContent, read: readEmbedContent }),
  batchEmbedContents: (dependencies, exchange, model) =>
    embed(dependencies, exchange, { model, protocol: geminiBatchEmbedContents, read: readBatchEmbedContents }),
};

/** A model's name may hold slashes and colons; the method stands behind the last colon. */
export const callModel: Endpoint = async (dependencies, exchange) => {
  const mark = exchange.wildcard.lastIndexOf(':');
  const method = exchange.wildcard.slice(mark + 1);
  const known = mark === -1 || !Object.hasOwn(methods, method) ? undefined : methods[method];
  if (known === undefined)
    throw new GatewayError('not_found', {
      message: `There is no such method. Use one of ${Object.keys(methods).join(', ')}.`,
    });
  await known(dependencies, exchange, exchange.wildcard.slice(0, mark));
};

async function generate(
  { relay }: EndpointDependencies,
  exchange: Exchange,
  { model, stream }: { model: string; stream: boolean },
): Promise<void> {
  const body = await exchange.readJson();
  const framing = new URLSearchParams(exchange.query).get('alt') === 'sse' ? 'events' : 'array';
  const read = () => readGenerateContent(body, { model, stream, framing });
  const endpoint = `/v1beta/models/*:${stream ? 'streamGenerateContent' : 'generateContent'}`;
  await relayRequest(relay, { ...exchange, endpoint, protocol: geminiGenerateContent, read });
}

async function count({ relay }: EndpointDependencies, exchange: Exchange, model: string): Promise<void> {
  const body = await exchange.readJson();
  const read = () => readCountTokens(body, model);
  const endpoint = '/v1beta/models/*:countTokens';
  await countTokens(relay, { ...exchange, endpoint, protocol: countContent, read, writeCount: writeTokenCount });
}

interface Embedding {
  model: string;
  protocol: Protocol;
  read(body: Buffer, model: string): RelayRequest;
}

async function embed(
  { relay }: EndpointDependencies,
  exchange: Exchange,
  { model, protocol, read }: Embedding,
): Promise<void> {
  const body = await exchange.readJson();
  const endpoint = `/v1beta/models/*:${protocol === geminiEmbedContent ? 'embedContent' : 'batchEmbedContents'}`;
  await relayRequest(relay, { ...exchange, endpoint, protocol, read: () => read(body, model) });
}
