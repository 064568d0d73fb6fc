// POST /v1/video/generations (spec 2.1, 2.2): the recommended entry.
import { readGeneration } from '../../protocols/video-generations/read-request.ts';
import { writeSubmitted } from '../../protocols/video-generations/write-answer.ts';
import { submitTask } from '../../tasks/submit/submit-task.ts';
import { viewTask } from '../../tasks/task.ts';
import type { Endpoint } from '../endpoint.ts';
import type { SubmitExchange } from './submit-exchange.ts';
import { webhookInJson } from './webhook-field.ts';

export const submitGeneration: Endpoint = async ({ tasks }, exchange: SubmitExchange) => {
  const body = await exchange.readJson();
  const read = () => ({ request: readGeneration(body), webhookUrl: webhookInJson(body) });
  const task = await submitTask(tasks, { ...exchange, endpoint: '/v1/video/generations', read });
  exchange.sendJson(writeSubmitted(viewTask(task)));
};
