// POST /v1/videos (contract 5): the same as JSON or as a form, for compatible clients.
import { formText } from '../../protocols/json/form-request.ts';
import { WEBHOOK_FIELD } from '../../protocols/video/video-request.ts';
import { readVideoForm } from '../../protocols/videos/read-form-request.ts';
import { readVideoJson } from '../../protocols/videos/read-json-request.ts';
import { writeVideo } from '../../protocols/videos/write-answer.ts';
import { type SubmitCall, submitTask } from '../../tasks/submit/submit-task.ts';
import { viewTask } from '../../tasks/task.ts';
import type { Endpoint, Exchange } from '../endpoint.ts';
import type { SubmitExchange } from './submit-exchange.ts';
import { webhookInJson } from './webhook-field.ts';

export const createVideo: Endpoint = async ({ tasks }, exchange: SubmitExchange) => {
  const read = await receive(exchange);
  const task = await submitTask(tasks, { ...exchange, endpoint: '/v1/videos', read });
  exchange.sendJson(writeVideo(viewTask(task)));
};

async function receive(exchange: Exchange): Promise<SubmitCall['read']> {
  if (exchange.sendsJson) {
    const body = await exchange.readJson();
    return () => ({ request: readVideoJson(body), webhookUrl: webhookInJson(body) });
  }
  const form = await exchange.readForm({ orJson: true });
  return async () => ({ request: await readVideoForm(form), webhookUrl: formText(form, WEBHOOK_FIELD) });
}
