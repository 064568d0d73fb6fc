// GET /v1/video/generations/{task_id} (spec 2.3): read from our own row, so asking often costs no call to a provider.
import { writeWrapper } from '../../protocols/video-generations/write-answer.ts';
import { getOwnTask } from '../../tasks/list-tasks.ts';
import type { Endpoint } from '../endpoint.ts';

export const getGeneration: Endpoint = async ({ tasks }, { principal, wildcard, sendJson }) => {
  sendJson(writeWrapper(await getOwnTask(tasks, principal.accountId, wildcard)));
};
