// A task in Kling's own envelope, for clients that were written for Kling.
import type { TaskStatus, TaskView } from '../../neutral/video.ts';

const STATUSES: Readonly<Record<TaskStatus, string>> = {
  SUBMITTED: 'submitted',
  QUEUED: 'submitted',
  IN_PROGRESS: 'processing',
  SUCCESS: 'succeed',
  FAILURE: 'failed',
};

export function writeKlingTask(task: TaskView, requestId: string): Record<string, unknown> {
  const { id, status, resultUrl, failReason, seconds, createdAt, completedAt } = task;
  const video = { id, url: resultUrl, ...(seconds !== undefined && { duration: String(seconds) }) };
  return {
    code: 0,
    message: 'SUCCEED',
    request_id: requestId,
    data: {
      task_id: id,
      task_status: STATUSES[status],
      ...(status === 'FAILURE' && { task_status_msg: failReason ?? 'The task failed.' }),
      created_at: createdAt * 1000,
      updated_at: (completedAt ?? createdAt) * 1000,
      ...(status === 'SUCCESS' && { task_result: { videos: [video] } }),
    },
  };
}

/** Code of a refusal by its status, as Kling's own list has them. */
const CODES: Readonly<Record<number, number>> = {
  400: 1201,
  401: 1000,
  402: 1102,
  403: 1103,
  404: 1203,
  429: 1302,
  503: 5001,
  504: 5002,
};

export function klingCode(status: number): number {
  return CODES[status] ?? (status < 500 ? 1200 : 5000);
}
