// A task as both client shapes of it begin (contract 5); the wrapper of one shows its status as it is (spec 3).
import type { TaskStatus, TaskView } from '../../neutral/video.ts';

const WORDS: Readonly<Record<TaskStatus, string>> = {
  SUBMITTED: 'queued',
  QUEUED: 'queued',
  IN_PROGRESS: 'in_progress',
  SUCCESS: 'completed',
  FAILURE: 'failed',
};

export function writeTask(task: TaskView): Record<string, unknown> {
  return {
    id: task.id,
    task_id: task.id,
    object: 'video',
    model: task.model,
    status: WORDS[task.status],
    progress: task.progress,
    created_at: task.createdAt,
  };
}
