// GET /v1/models and /v1/models/{model}: which names the sandbox answers to.
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';

const ownModels = [
  'sandbox-chat',
  'gpt-4o-mini',
  'gpt-4o',
  'gpt-3.5-turbo-instruct',
  'text-embedding-3-small',
  'text-embedding-3-large',
  'omni-moderation-latest',
  'dall-e-3',
  'gpt-image-1',
  'tts-1',
  'gpt-4o-mini-tts',
  'whisper-1',
  'gpt-4o-transcribe',
  'gpt-realtime',
  'rerank-english-v3.0',
];
const created = 1_735_689_600;

/** No endpoint refuses a model for its kind, and any name that begins with `sandbox-` is a model. */
export function checkModel(model: string, furtherModels: readonly string[]): void {
  if (model.startsWith('sandbox-') || ownModels.includes(model) || furtherModels.includes(model)) return;
  const message = `The model \`${model.slice(0, 200)}\` does not exist or you do not have access to it.`;
  throw new Refusal({ status: 404, message, code: 'model_not_found' });
}

export async function listModels({ exchange, behaviour, models }: Call): Promise<void> {
  const names = [...new Set([...ownModels, ...models])];
  await sendWhole(exchange, { body: { object: 'list', data: names.map(writeModel) } }, behaviour);
}

export async function getModel({ exchange, behaviour, models, path }: Call): Promise<void> {
  const name = path.slice('/v1/models/'.length);
  checkModel(name, models);
  await sendWhole(exchange, { body: writeModel(name) }, behaviour);
}

function writeModel(id: string): object {
  return { id, object: 'model', created, owned_by: 'sandbox' };
}
