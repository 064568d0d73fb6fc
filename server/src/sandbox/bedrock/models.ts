// Which models the simulated Bedrock has, by their ids.
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';

const ownModels = [
  'anthropic.claude-sonnet-4-5-20250929-v1:0',
  'anthropic.claude-opus-4-6-v1:0',
  'amazon.nova-pro-v1:0',
  'amazon.nova-2-lite-v1:0',
  'openai.gpt-oss-120b-1:0',
  'meta.llama3-3-70b-instruct-v1:0',
];

/** Of the path; a profile of a geography, or an ARN, ends in the id of its model. */
export function readModelId({ path, models }: Call): string {
  const id = decodeURIComponent(/^\/model\/([^/]+)\//.exec(path)?.[1] ?? '');
  const isKnown = ownModels.some((one) => id === one || id.endsWith(`.${one}`) || id.endsWith(`/${one}`));
  if (isKnown || models.includes(id) || id.includes('sandbox-')) return id;
  throw new Refusal({ status: 400, message: 'The provided model identifier is invalid.' });
}

/** As the messages protocol calls it. */
export function claudeName(id: string): string {
  const name = /anthropic\.(claude-[a-z0-9-]+?)(?:-\d{8})?-v\d+:\d+$/.exec(id)?.[1];
  if (name === undefined) throw new Refusal({ status: 400, message: 'The provided model identifier is invalid.' });
  return name;
}

export async function listModels({ exchange, behaviour }: Call): Promise<void> {
  const modelSummaries = ownModels.map((modelId) => ({
    modelArn: `arn:aws:bedrock:us-east-1::foundation-model/${modelId}`,
    modelId,
    modelName: modelId,
    providerName: modelId.split('.')[0],
    inputModalities: ['TEXT'],
    outputModalities: ['TEXT'],
    responseStreamingSupported: true,
    inferenceTypesSupported: ['ON_DEMAND'],
  }));
  await sendWhole(exchange, { body: { modelSummaries } }, behaviour);
}
