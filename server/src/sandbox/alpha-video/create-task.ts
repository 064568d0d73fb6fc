// POST /api/v1/services/aigc/video-generation/video-synthesis: accepts a task. Media are never fetched.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { answerCreated } from '../video/answer-created.ts';
import type { VideoStudio } from '../video/studio.ts';
import type { VideoTask } from '../video/task.ts';
import { writeError } from './error.ts';
import { readTaskRequest, type TaskRequest } from './task-request.ts';

const usualClipMs = 6620;
const longestEditSeconds = 15;

export async function createTask(call: Call, studio: VideoStudio): Promise<void> {
  const { exchange, behaviour } = call;
  if (exchange.request.headers['x-dashscope-async'] !== 'enable') {
    const message = 'current user api does not support synchronous calls.';
    throw new Refusal({ status: 403, code: 'AccessDenied', message });
  }
  const request = readTaskRequest(call.body);
  if (behaviour.inputBlocked) {
    const message = 'Input data may contain inappropriate content.';
    throw new Refusal({ status: 400, code: 'DataInspectionFailed', message });
  }
  const task = makeTask(call, request);
  const answer = (taskId: string): object => ({
    output: { task_id: taskId, task_status: 'PENDING' },
    request_id: randomUUID(),
  });
  const errorBody = writeError({ status: 500 });
  await answerCreated(call, studio, task, { body: answer(task.id), bodyWithoutId: answer(''), errorBody });
}

function makeTask({ exchange, behaviour, key, now }: Call, { model, prompt, parameters }: TaskRequest): VideoTask {
  const { resolution, ratio } = parameters;
  const isEdit = !model.capability.parameters.includes('duration');
  const clip = Math.min((behaviour.clipMs ?? usualClipMs) / 1000, longestEditSeconds);
  const seconds = isEdit ? clip : parameters.duration;
  const input = isEdit ? clip : 0;
  return {
    id: randomUUID(),
    fileName: randomBytes(16).toString('hex'),
    family: 'alpha',
    key,
    model: model.name,
    prompt,
    ...choosePixels(resolution, ratio),
    seconds,
    echo: {},
    usage: {
      // Rounded to milliseconds: binary fractions shall not show.
      duration: Math.round((input + seconds) * 1000) / 1000,
      input_video_duration: input,
      output_video_duration: seconds,
      video_count: 1,
      SR: Number.parseInt(resolution, 10),
      ...(model.capability.parameters.includes('ratio') ? { ratio } : {}),
    },
    wantsLastFrame: false,
    createdAt: now,
    expiresAt: Infinity,
    behaviour,
    cancelledAt: undefined,
    recordId: exchange.record.id,
    polls: 0,
    downloads: 0,
    callbacks: 0,
  };
}

/** As many pixels as 16:9 has at that resolution, in steps of 8. */
function choosePixels(resolution: '720P' | '1080P', ratio: string): { width: number; height: number } {
  const area = resolution === '720P' ? 1280 * 720 : 1920 * 1080;
  const [wide = 16, high = 9] = ratio.split(':').map(Number);
  const step = (side: number): number => Math.round(side / 8) * 8;
  return { width: step(Math.sqrt((area * wide) / high)), height: step(Math.sqrt((area * high) / wide)) };
}
