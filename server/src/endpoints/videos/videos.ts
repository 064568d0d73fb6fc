// POST and GET /v1/videos (contract 5), GET and DELETE of one (spec 2.4): tasks for compatible clients, as JSON or a form.
import { formText } from '../../protocols/json/form-request.ts';
import { readJsonSubmit, WEBHOOK_FIELD } from '../../protocols/video/video-request.ts';
import { readVideoForm } from '../../protocols/videos/read-form-request.ts';
import { readVideoJson } from '../../protocols/videos/read-json-request.ts';
import { writeDeleted, writeVideo, writeVideoList } from '../../protocols/videos/write-answer.ts';
import { getOwnTask, listOwnTasks } from '../../tasks/list-tasks.ts';
import { removeTask } from '../../tasks/remove-task.ts';
import { type SubmitCall, submitTask } from '../../tasks/submit/submit-task.ts';
import { viewTask } from '../../tasks/task.ts';
import type { Endpoint, Exchange } from '../endpoint.ts';

export const createVideo: Endpoint = async ({ tasks }, exchange) => {
  const read = await receive(exchange);
  const task = await submitTask(tasks, { ...exchange, endpoint: '/v1/videos', read });
  exchange.sendJson(writeVideo(viewTask(task)));
};

async function receive(exchange: Exchange): Promise<SubmitCall['read']> {
  if (exchange.sendsJson) {
    const body = await exchange.readJson();
    return () => readJsonSubmit(readVideoJson, body);
  }
  const form = await exchange.readForm({ orJson: true });
  return async () => ({ request: await readVideoForm(form), webhookUrl: formText(form, WEBHOOK_FIELD) });
}

export const getVideo: Endpoint = async ({ tasks }, { principal, wildcard, sendJson }) => {
  sendJson(writeVideo(await getOwnTask(tasks, principal.accountId, wildcard)));
};

/** The account's tasks, newest first by default. */
export const listVideos: Endpoint = async (dependencies, { principal, query, sendJson }) => {
  const { tasks, hasMore } = await listOwnTasks(dependencies.tasks, principal.accountId, new URLSearchParams(query));
  sendJson(writeVideoList(tasks, hasMore));
};

/** Cancels a live task and releases its money, forgets a finished one. */
export const deleteVideo: Endpoint = async ({ tasks }, { principal, wildcard, sendJson }) => {
  await removeTask(tasks, principal, wildcard);
  sendJson(writeDeleted(wildcard));
};
