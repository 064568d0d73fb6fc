// How the task object and the submit answer spell a status (contract 5); the wrapper shows it as it is (spec 3).
import type { TaskStatus } from '../../neutral/video.ts';

export type StatusWord = 'queued' | 'in_progress' | 'completed' | 'failed';

const words: Record<TaskStatus, StatusWord> = {
  SUBMITTED: 'queued',
  QUEUED: 'queued',
  IN_PROGRESS: 'in_progress',
  SUCCESS: 'completed',
  FAILURE: 'failed',
};

export function statusWord(status: TaskStatus): StatusWord {
  return words[status];
}
