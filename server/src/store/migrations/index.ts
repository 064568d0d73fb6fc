// The list of migrations, oldest first.
import { initial } from './0001-initial.ts';
import { responses } from './0002-responses.ts';
import { backgroundCalls } from './0003-background-calls.ts';
import { tokenOptions } from './0004-token-options.ts';
import { videoTasks } from './0010-video-tasks.ts';
import { taskCare } from './0011-task-care.ts';
import type { Migration } from './migration.ts';

export const migrations: Migration[] = [initial, responses, backgroundCalls, tokenOptions, videoTasks, taskCare];
