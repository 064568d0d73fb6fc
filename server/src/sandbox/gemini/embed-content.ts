// POST ...:embedContent and :batchEmbedContents: a unit vector for every content. https://ai.google.dev/api/embeddings
import { removeDirectives } from '../directives.ts';
import type { WireObject } from '../fields/refuse.ts';
import { sendWhole } from '../http/send-whole.ts';
import { embedText } from '../openai/embeddings/embed-text.ts';
import type { Call } from '../protocol.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import { countTokens } from '../text/tokens.ts';
import { makeError } from './error.ts';
import { readModel } from './models.ts';
import { batchEmbedContentsFields, embedContentFields } from './wire/messages.ts';
import { readMessage } from './wire/read-message.ts';
import { refuseArgument } from './wire/violations.ts';

type Embedding = { values: number[]; tokens: number };

const defaultDimensions = 3072;
const batchLimit = 100;

export async function answerEmbedContent(call: Call): Promise<void> {
  const model = readModel(call);
  const message = readMessage(call.body, embedContentFields);
  const given = message['model'];
  if (given !== undefined) checkModel(given, model, '* EmbedContentRequest.model');
  const { values, tokens } = embed(message, '* EmbedContentRequest');
  await send(call, { embedding: { values } }, tokens);
}

export async function answerBatchEmbedContents(call: Call): Promise<void> {
  const model = readModel(call);
  const { requests = [] } = readMessage(call.body, batchEmbedContentsFields);
  const messages = requests as WireObject[];
  const at = '* BatchEmbedContentsRequest.requests';
  if (messages.length === 0) refuseArgument(`${at}: must not be empty\n`);
  if (messages.length > batchLimit) refuseArgument(`${at}: at most ${batchLimit} requests can be in one batch\n`);
  const embeddings = messages.map((message, index) => {
    checkModel(message['model'], model, `${at}[${index}].model`);
    return embed(message, `${at}[${index}]`);
  });
  const tokens = embeddings.reduce((sum, one) => sum + one.tokens, 0);
  await send(call, { embeddings: embeddings.map(({ values }) => ({ values })) }, tokens);
}

function checkModel(given: unknown, model: string, at: string): void {
  if (given === undefined) refuseArgument(`${at}: unexpected model name format\n`);
  if (given !== `models/${model}`) refuseArgument(`${at}: does not match the model of the path, models/${model}\n`);
}

function embed({ content, outputDimensionality = defaultDimensions }: WireObject, at: string): Embedding {
  const parts = ((content as WireObject | undefined)?.['parts'] ?? []) as WireObject[];
  const text = parts.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : [])).join('\n');
  if (text === '') refuseArgument(`${at}.content: contents is not specified\n`);
  const dimensions = Number(outputDimensionality);
  if (dimensions < 1 || dimensions > defaultDimensions) {
    refuseArgument(`${at}.output_dimensionality: must be between 1 and ${defaultDimensions}\n`);
  }
  return { values: [...embedText(removeDirectives(text), dimensions)], tokens: countTokens(text) };
}

async function send({ exchange, behaviour }: Call, body: object, tokens: number): Promise<void> {
  const usageMetadata = spoilUsage({ promptTokenCount: tokens }, behaviour);
  const answer = { ...body, ...(usageMetadata === undefined ? {} : { usageMetadata }) };
  await sendWhole(exchange, { body: answer, errorBody: makeError({ status: 500 }) }, behaviour);
}
