// The protocol of video family alpha as the sandbox speaks it. A channel's address has no path: the provider adds all of it.
import { isObject } from '../fields/refuse.ts';
import type { SandboxProtocol } from '../protocol.ts';
import type { VideoStudio } from '../video/studio.ts';
import { createTask } from './create-task.ts';
import { writeError } from './error.ts';
import { cancelTask, getTask, listTasks } from './tasks.ts';

export function createAlphaProtocol(studio: VideoStudio): SandboxProtocol {
  return {
    prefix: 'api/v1',
    basePath: '',
    endpoints: [
      {
        method: 'POST',
        path: /^\/services\/aigc\/video-generation\/video-synthesis$/,
        answer: (call) => createTask(call, studio),
      },
      { method: 'GET', path: /^\/tasks$/, answer: (call) => listTasks(call, studio) },
      { method: 'GET', path: /^\/tasks\/[^/]+$/, answer: (call) => getTask(call, studio) },
      {
        method: 'POST',
        path: /^\/tasks\/[^/]+\/cancel$/,
        takes: 'nothing',
        answer: (call) => cancelTask(call, studio),
      },
    ],
    readUserTexts(body) {
      const input = isObject(body) ? body['input'] : undefined;
      return isObject(input) && typeof input['prompt'] === 'string' ? [input['prompt']] : [];
    },
    wantsStream: () => false,
    writeError,
  };
}
