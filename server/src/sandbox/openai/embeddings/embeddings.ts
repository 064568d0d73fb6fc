// POST /v1/embeddings: a unit vector for every input, as numbers or as base64 of 32-bit floats.
import { sendWhole } from '../../http/send-whole.ts';
import type { Call } from '../../protocol.ts';
import { spoilUsage } from '../../text/spoil-usage.ts';
import { writeError } from '../error.ts';
import { checkModel } from '../models.ts';
import { embedText } from './embed-text.ts';
import { readEmbeddingRequest } from './embedding-request.ts';

export async function answerEmbeddings({ exchange, behaviour, body, models }: Call): Promise<void> {
  const { model, inputs, format, dimensions } = readEmbeddingRequest(body);
  checkModel(model, models);
  const data = inputs.map(({ text }, index) => {
    const vector = embedText(text, dimensions);
    const embedding = format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
    return { object: 'embedding', index, embedding };
  });
  const tokens = inputs.reduce((sum, one) => sum + one.tokens, 0);
  const usage = spoilUsage({ prompt_tokens: tokens, total_tokens: tokens }, behaviour);
  const answer = { object: 'list', data, model, ...(usage === undefined ? {} : { usage }) };
  await sendWhole(exchange, { body: answer, errorBody: writeError({ status: 500 }) }, behaviour);
}
