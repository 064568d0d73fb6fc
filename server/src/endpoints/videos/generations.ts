// POST /v1/video/generations (spec 2.1, 2.2), the recommended entry, and GET of a task (spec 2.3).
import { readJsonSubmit } from '../../protocols/video/video-request.ts';
import { readGeneration } from '../../protocols/video-generations/read-request.ts';
import { writeSubmitted, writeWrapper } from '../../protocols/video-generations/write-answer.ts';
import { getOwnTask } from '../../tasks/list-tasks.ts';
import { submitTask } from '../../tasks/submit/submit-task.ts';
import { viewTask } from '../../tasks/task.ts';
import type { Endpoint } from '../endpoint.ts';

export const submitGeneration: Endpoint = async ({ tasks }, exchange) => {
  const body = await exchange.readJson();
  const read = readJsonSubmit.bind(undefined, readGeneration, body);
  const task = await submitTask(tasks, { ...exchange, endpoint: '/v1/video/generations', read });
  exchange.sendJson(writeSubmitted(viewTask(task)));
};

/** Read from our own row: asking often costs no call to a provider. */
export const getGeneration: Endpoint = async ({ tasks }, { principal, wildcard, sendJson }) => {
  sendJson(writeWrapper(await getOwnTask(tasks, principal.accountId, wildcard)));
};
