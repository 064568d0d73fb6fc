// DELETE /v1/videos/{task_id}: cancels a live task and releases its money, forgets a finished one (contract 5).
import { writeDeleted } from '../../protocols/videos/write-answer.ts';
import { removeTask } from '../../tasks/remove-task.ts';
import type { Endpoint } from '../endpoint.ts';

export const deleteVideo: Endpoint = async ({ tasks }, { principal, wildcard, sendJson }) => {
  await removeTask(tasks, principal, wildcard);
  sendJson(writeDeleted(wildcard));
};
