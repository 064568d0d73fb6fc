// GET /v1/videos: the account's tasks, newest first by default (contract 5).
import { writeVideoList } from '../../protocols/videos/write-answer.ts';
import { listOwnTasks } from '../../tasks/list-tasks.ts';
import type { Endpoint } from '../endpoint.ts';

export const listVideos: Endpoint = async (dependencies, { principal, query, sendJson }) => {
  const { tasks, hasMore } = await listOwnTasks(dependencies.tasks, principal.accountId, new URLSearchParams(query));
  sendJson(writeVideoList(tasks, hasMore));
};
