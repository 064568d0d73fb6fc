// :rawPredict and :streamRawPredict of Claude on Vertex AI: the messages protocol without its model, with a version of
// Vertex's own. https://docs.claude.com/en/api/claude-on-vertex-ai
import { refuseAt } from '../anthropic/checks.ts';
import { writeError } from '../anthropic/error.ts';
import { answerMessagesAs, countMessages } from '../anthropic/messages.ts';
import { isObject, type WireObject } from '../fields/refuse.ts';
import { makeRequestId, readHead } from '../http/exchange.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';

const known = /^claude-(sonnet-4-5|haiku-4-5|opus-4-6)(@\d{8})?$/;

export async function answerRawPredict(call: Call): Promise<void> {
  const model = /\/models\/([^:]+):/.exec(call.path)?.[1] ?? '';
  const { body, isStream } = asMessages(call, decodeURIComponent(model));
  if (isStream !== call.path.endsWith(':streamRawPredict'))
    refuseAt('stream', `Use ${isStream ? 'streamRawPredict' : 'rawPredict'}`);
  await answerMessagesAs(body, failing(call));
}

export async function answerCount(call: Call): Promise<void> {
  const model = isObject(call.body) ? call.body['model'] : undefined;
  if (typeof model !== 'string') refuseAt('model', 'Field required');
  const { model: _, ...rest } = call.body as WireObject;
  const input_tokens = countMessages(asMessages({ ...call, body: rest }, model).body);
  await sendWhole(call.exchange, { body: { input_tokens }, errorBody: failing(call).errorBody }, call.behaviour);
}

function failing({ exchange }: Call) {
  const about = { requestId: makeRequestId(exchange), head: readHead(exchange.request) };
  const write = (status: number) => ({ event: 'error', data: JSON.stringify(writeError({ status }, about)) });
  return {
    errorBody: writeError({ status: 529 }, about),
    writeError: () => write(529),
    writeThrottle: () => write(429),
  };
}

function asMessages(call: Call, model: string): { body: Call; isStream: boolean } {
  if (!known.test(model) && !call.models.includes(model)) {
    const message = `Publisher Model \`publishers/anthropic/models/${model.slice(0, 200)}\` was not found.`;
    throw new Refusal({ status: 404, message });
  }
  if (!isObject(call.body)) throw new Refusal({ status: 400, message: 'Request body is not a JSON object.' });
  const { anthropic_version: version, ...body } = call.body;
  if ('model' in body) refuseAt('model', 'Extra inputs are not permitted');
  if (version !== 'vertex-2023-10-16') refuseAt('anthropic_version', 'Input should be "vertex-2023-10-16"');
  const name = model.replace(/@.*$/, '');
  const made = { ...call, models: [...call.models, name], body: { ...body, model: name } };
  return { body: made, isStream: body['stream'] === true };
}
