// The video tasks of one sandbox, each seen only by the key that made it; the oldest are forgotten first.
import { stateAt, type TaskState, type VideoTask } from './task.ts';

export type TaskMemory = {
  find(owner: Pick<VideoTask, 'family' | 'key'>, id: string): VideoTask | undefined;
  findFile(fileName: string): VideoTask | undefined;
  /** Newest first. */
  list(owner: Pick<VideoTask, 'family' | 'key'>): VideoTask[];
  keep(task: VideoTask): void;
  forget(task: VideoTask): void;
  summarise(now: number): SandboxTask[];
};

/** What tests and people see of a task; `recordId` leads to the body that was received. */
export type SandboxTask = Pick<
  VideoTask,
  'id' | 'family' | 'model' | 'prompt' | 'createdAt' | 'recordId' | 'polls' | 'downloads' | 'callbacks'
> & { state: TaskState };

const taskLimit = 10_000;

export function createTaskMemory(): TaskMemory {
  const tasks = new Map<string, VideoTask>();
  const files = new Map<string, VideoTask>();

  function forget({ id, fileName }: VideoTask): void {
    tasks.delete(id);
    files.delete(fileName);
  }

  return {
    find({ family, key }, id) {
      const task = tasks.get(id);
      return task?.family === family && task.key === key ? task : undefined;
    },
    findFile: (fileName) => files.get(fileName),
    list: ({ family, key }) =>
      [...tasks.values()].filter((task) => task.family === family && task.key === key).toReversed(),
    keep(task) {
      tasks.set(task.id, task);
      files.set(task.fileName, task);
      const [oldest] = tasks.values();
      if (tasks.size > taskLimit && oldest !== undefined) forget(oldest);
    },
    forget,
    summarise: (now) =>
      [...tasks.values()].map((task) => {
        const { id, family, model, prompt, createdAt, recordId, polls, downloads, callbacks } = task;
        const state = stateAt(task, now);
        return { id, family, model, prompt, state, createdAt, recordId, polls, downloads, callbacks };
      }),
  };
}
