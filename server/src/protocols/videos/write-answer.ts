// Answers of /v1/videos: the task object (spec 2.4, contract 5), lists of them, and what is left of a deleted one.
import type { TaskView } from '../../neutral/video.ts';
import { writeTask } from '../video/write-task.ts';

export function writeVideo(task: TaskView): Record<string, unknown> {
  const url = task.status === 'SUCCESS' ? task.resultUrl : undefined;
  return {
    ...writeTask(task),
    completed_at: task.completedAt ?? null,
    seconds: task.seconds === undefined ? null : String(task.seconds),
    size: task.size ?? null,
    error: errorOf(task),
    prompt: null,
    expires_at: null,
    remixed_from_video_id: task.remixedFrom ?? null,
    ...(url !== undefined && { url, video_url: url, metadata: { url } }),
  };
}

export function writeVideoList(tasks: readonly TaskView[], hasMore: boolean): Record<string, unknown> {
  return {
    object: 'list',
    data: tasks.map(writeVideo),
    first_id: tasks.at(0)?.id ?? null,
    last_id: tasks.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

export function writeDeleted(id: string): Record<string, unknown> {
  return { id, object: 'video.deleted', deleted: true };
}

function errorOf({ status, errorCode, failReason }: TaskView): { code: string; message: string } | null {
  if (status !== 'FAILURE') return null;
  return { code: errorCode ?? 'task_failed', message: failReason ?? 'The task failed.' };
}
