// Answers of /v1/video/generations: the submit (spec 2.2) and the task in its wrapper (spec 2.3).
import type { TaskView } from '../../neutral/video.ts';

export { writeTask as writeSubmitted } from '../video/write-task.ts';

/** A field that says nothing in this status is empty, never absent. */
export function writeWrapper(task: TaskView): Record<string, unknown> {
  return {
    code: 'success',
    message: '',
    data: {
      task_id: task.id,
      status: task.status,
      progress: `${task.progress}%`,
      result_url: task.status === 'SUCCESS' ? (task.resultUrl ?? '') : '',
      fail_reason: task.status === 'FAILURE' ? (task.failReason ?? 'The task failed.') : '',
    },
  };
}
