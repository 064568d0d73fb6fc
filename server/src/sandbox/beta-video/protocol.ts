// The protocol of video family beta as the sandbox speaks it.
import { isObject } from '../fields/refuse.ts';
import type { SandboxProtocol } from '../protocol.ts';
import type { VideoStudio } from '../video/studio.ts';
import { createTask } from './create-task.ts';
import { writeError } from './error.ts';
import { deleteTask, getTask, listTasks } from './tasks.ts';

const all = /^\/contents\/generations\/tasks$/;
const one = /^\/contents\/generations\/tasks\/[^/]+$/;

export function createBetaProtocol(studio: VideoStudio): SandboxProtocol {
  return {
    prefix: 'api/v3',
    basePath: '/api/v3',
    endpoints: [
      { method: 'POST', path: all, answer: (call) => createTask(call, studio) },
      { method: 'GET', path: all, answer: (call) => listTasks(call, studio) },
      { method: 'GET', path: one, answer: (call) => getTask(call, studio) },
      { method: 'DELETE', path: one, answer: (call) => deleteTask(call, studio) },
    ],
    readUserTexts,
    wantsStream: () => false,
    writeError,
  };
}

function readUserTexts(body: unknown): string[] {
  const content = isObject(body) ? body['content'] : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((item: unknown) => (isObject(item) && typeof item['text'] === 'string' ? [item['text']] : []));
}
