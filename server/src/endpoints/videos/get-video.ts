// GET /v1/videos/{task_id}: the task object (spec 2.4).
import { writeVideo } from '../../protocols/videos/write-answer.ts';
import { getOwnTask } from '../../tasks/list-tasks.ts';
import type { Endpoint } from '../endpoint.ts';

export const getVideo: Endpoint = async ({ tasks }, { principal, wildcard, sendJson }) => {
  sendJson(writeVideo(await getOwnTask(tasks, principal.accountId, wildcard)));
};
