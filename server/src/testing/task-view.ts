// A task as clients are shown it, just submitted, with what a test wants of it.
import type { TaskView } from '../neutral/video.ts';

export function taskOf(fields: Partial<TaskView> = {}): TaskView {
  return {
    id: 'task_1',
    model: 'alpha-1.1-t2v',
    status: 'SUBMITTED',
    progress: 0,
    createdAt: 1_760_000_000,
    completedAt: undefined,
    seconds: undefined,
    size: undefined,
    resultUrl: undefined,
    failReason: undefined,
    errorCode: undefined,
    ...fields,
  };
}
