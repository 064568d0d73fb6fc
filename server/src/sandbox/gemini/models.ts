// GET /v1beta/models and /v1beta/models/{model}, and which names this protocol answers to.
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';

const ownModels = [
  'sandbox-generate',
  'sandbox-generate-embedding',
  'gemini-3-pro-preview',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
  'gemini-2.5-flash-image',
  'gemini-embedding-001',
];
const pageLimit = 1000;

/** The model that a path such as `/v1beta/models/x:generateContent` names; any that begins with `sandbox-` is one. */
export function readModel({ path, models }: Call): string {
  const [, written = '', , method = 'generateContent'] = /\/models\/([^:]+)(:(.*))?$/.exec(path) ?? [];
  const name = decodeURIComponent(written);
  if (name.startsWith('sandbox-') || ownModels.includes(name) || models.includes(name)) return name;
  const found = `models/${name.slice(0, 200)} is not found for API version v1beta, or is not supported for ${method}.`;
  const advice = 'Call ListModels to see the list of available models and their supported methods.';
  throw new Refusal({ status: 404, message: `${found} ${advice}` });
}

export async function listModels({ exchange, behaviour, models, query }: Call): Promise<void> {
  const names = [...new Set([...ownModels, ...models])];
  const start = Number(query.get('pageToken') ?? 0);
  const size = Math.min(Number(query.get('pageSize') ?? 50) || 50, pageLimit);
  if (!Number.isInteger(start) || start < 0) throw new Refusal({ status: 400, message: 'Page token is invalid.' });
  const end = start + size;
  const next = end < names.length ? { nextPageToken: String(end) } : {};
  await sendWhole(exchange, { body: { models: names.slice(start, end).map(writeModel), ...next } }, behaviour);
}

export async function getModel(call: Call): Promise<void> {
  await sendWhole(call.exchange, { body: writeModel(readModel(call)) }, call.behaviour);
}

function writeModel(name: string): object {
  const isEmbedding = name.includes('embedding');
  return {
    name: `models/${name}`,
    version: '001',
    displayName: name,
    description: 'A simulated model',
    inputTokenLimit: isEmbedding ? 2048 : 1_048_576,
    outputTokenLimit: isEmbedding ? 1 : 65_536,
    supportedGenerationMethods: isEmbedding
      ? ['embedContent', 'batchEmbedContents', 'countTokens']
      : ['generateContent', 'streamGenerateContent', 'countTokens'],
    ...(isEmbedding ? {} : { temperature: 1, topP: 0.95, topK: 64, maxTemperature: 2, thinking: true }),
  };
}
