// /kling/v1/videos/{text2video,image2video}: Kling's own paths and shapes, through the same tasks, charged the same (contract-2 9).
import { type KlingKind, readKlingRequest } from '../../protocols/kling-videos/read-request.ts';
import { writeKlingTask } from '../../protocols/kling-videos/write-answer.ts';
import { readJsonSubmit } from '../../protocols/video/video-request.ts';
import { getOwnTask } from '../../tasks/list-tasks.ts';
import { submitTask } from '../../tasks/submit/submit-task.ts';
import { viewTask } from '../../tasks/task.ts';
import type { Endpoint } from '../endpoint.ts';

export function submitKling(kind: KlingKind): Endpoint {
  return async ({ tasks }, exchange) => {
    const body = await exchange.readJson();
    const read = () => readJsonSubmit((bytes) => readKlingRequest(bytes, kind), body);
    const task = await submitTask(tasks, { ...exchange, endpoint: `/kling/v1/videos/${kind}`, read });
    exchange.sendJson(writeKlingTask(viewTask(task), exchange.requestId));
  };
}

export const getKling: Endpoint = async ({ tasks }, { principal, wildcard, requestId, sendJson }) => {
  sendJson(writeKlingTask(await getOwnTask(tasks, principal.accountId, wildcard), requestId));
};
