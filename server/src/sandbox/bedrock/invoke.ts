// POST /model/{id}/invoke, /invoke-with-response-stream and /count-tokens for Claude: the messages protocol without its model,
// with a version of Bedrock's own. https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
import { answerMessagesAs, countMessages } from '../anthropic/messages.ts';
import { refuseAt } from '../anthropic/checks.ts';
import { isObject } from '../fields/refuse.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { countConverse } from './converse.ts';
import { writeError } from './error.ts';
import { frameAsEventStream } from './frames.ts';
import { claudeName, readModelId } from './models.ts';

const padding = 'abcdefghijklmnopqrstuvwxyz';

const chunks = frameAsEventStream(({ data }) => [
  'chunk',
  JSON.stringify({ bytes: Buffer.from(data).toString('base64'), p: padding.slice(0, data.length % 26) }),
]);

const failing = {
  errorBody: writeError({ status: 500 }),
  writeError: () => ({ event: 'internalServerException', data: JSON.stringify(writeError({ status: 500 })) }),
  writeThrottle: () => ({ event: 'throttlingException', data: JSON.stringify(writeError({ status: 429 })) }),
  framing: chunks,
};

export async function answerInvoke(call: Call): Promise<void> {
  await answerMessagesAs(asMessages(call, false), failing);
}

export async function answerInvokeStream(call: Call): Promise<void> {
  await answerMessagesAs(asMessages(call, true), failing);
}

export async function answerCountTokens(call: Call): Promise<void> {
  const id = readModelId(call);
  if (/^(us|eu|apac|global)\./.test(id) || id.startsWith('arn:') || !id.includes('claude'))
    throw new Refusal({ status: 400, message: "The provided model doesn't support counting tokens." });
  const input = isObject(call.body) ? call.body['input'] : undefined;
  const invoked = isObject(input) && isObject(input['invokeModel']) ? input['invokeModel']['body'] : undefined;
  const converse = isObject(input) ? input['converse'] : undefined;
  if (typeof invoked !== 'string' && !isObject(converse))
    throw new Refusal({ status: 400, message: 'input: exactly one of invokeModel and converse must be set.' });
  const inputTokens =
    typeof invoked === 'string'
      ? countMessages(asMessages({ ...call, body: decode(invoked) }, false))
      : countConverse({ ...call, body: converse });
  await sendWhole(call.exchange, { body: { inputTokens }, errorBody: writeError({ status: 500 }) }, call.behaviour);
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as unknown;
  } catch {
    throw new Refusal({ status: 400, message: 'Malformed input request, please reformat your input and try again.' });
  }
}

function asMessages(call: Call, stream: boolean): Call {
  const model = claudeName(readModelId(call));
  if (!isObject(call.body)) throw new Refusal({ status: 400, message: 'Malformed input request' });
  const { anthropic_version: version, anthropic_beta: beta, ...body } = call.body;
  for (const name of ['model', 'stream']) if (name in body) refuseAt(name, 'Extra inputs are not permitted');
  if (version === undefined) refuseAt('anthropic_version', 'Field required');
  if (version !== 'bedrock-2023-05-31') refuseAt('anthropic_version', 'Input should be "bedrock-2023-05-31"');
  if (beta !== undefined && !Array.isArray(beta)) refuseAt('anthropic_beta', 'Input should be a valid list');
  return { ...call, models: [...call.models, model], body: { ...body, model, ...(stream && { stream }) } };
}
