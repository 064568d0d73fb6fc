// What Kling answers. Its codes say more than its statuses: an empty account comes as 429, and refusals may come as 200.
import type { VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import {
  addressIn,
  amountIn,
  type Answer,
  firstIn,
  objectIn,
  objectsIn,
  parseAnswer,
  textIn,
} from '../upstream-values.ts';
import { counted, reportOf, stateIn, type StateWords } from '../video/report.ts';
import type { SubmittedLately } from '../video-provider.ts';

const states: StateWords = { submitted: 'queued', processing: 'running', succeed: 'succeeded', failed: 'failed' };

/** https://app.klingai.com/global/dev/document-api, "General Information": code -> the status that it stands for. */
const statuses: readonly [least: number, most: number, status: number][] = [
  [1000, 1004, 401],
  [1100, 1102, 402], // account, arrears, resource pack: all of them come with 429
  [1103, 1103, 403],
  [1200, 1201, 400],
  [1202, 1203, 404],
  [1300, 1301, 400],
  [1302, 1303, 429],
  [1304, 1304, 403], // an address that is not on the account's list
  [5000, 5000, 500],
  [5001, 5001, 503],
  [5002, 5002, 504],
];

export function codeIn(answer: Answer): number | undefined {
  return amountIn(answer, 'code');
}

export function readRefusal(body: Buffer, status: number): number | undefined {
  const code = codeIn(parseAnswer(body) ?? {});
  if (code === undefined || code === 0) return undefined;
  const known = statuses.find(([least, most]) => code >= least && code <= most)?.[2];
  return known ?? (status < 300 ? 400 : undefined);
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  const answer = parseAnswer(body) ?? {};
  const code = codeIn(answer);
  return { message: textIn(answer, 'message'), code: code === undefined ? undefined : String(code), param: undefined };
}

export function readSubmitted(body: Buffer): string | undefined {
  const answer = parseAnswer(body) ?? {};
  return codeIn(answer) === 0 ? textIn(objectIn(answer, 'data'), 'task_id') : undefined;
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const task = objectIn(answer, 'data');
  const state = codeIn(answer) === 0 ? stateIn(states, textIn(task, 'task_status')) : undefined;
  if (state === undefined) return undefined;
  const video = firstIn(objectIn(task, 'task_result'), 'videos');
  return reportOf(state, {
    videoUrl: addressIn(video, 'url'),
    reason: textIn(task, 'task_status_msg'),
    reported: counted({ seconds: amountIn(video, 'duration'), units: task['final_unit_deduction'] }),
  });
}

/** Of the list of tasks of one kind. */
export function readRecent(body: Buffer): SubmittedLately[] {
  return objectsIn(parseAnswer(body) ?? {}, 'data').flatMap((task) => {
    const upstreamId = textIn(task, 'task_id');
    if (upstreamId === undefined) return [];
    const ownHandle = textIn(objectIn(task, 'task_info'), 'external_task_id') ?? textIn(task, 'external_task_id');
    const createdAt = Math.floor((amountIn(task, 'created_at') ?? 0) / 1000);
    return [{ upstreamId, model: '', createdAt, asked: {}, ownHandle }];
  });
}
