// What MiniMax answers. The first API refuses with status 200 and a code; the second has true statuses, and the code in
// brackets at the end of its message. A video of the first is a file, whose link is asked for apart.
import type { VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { addressIn, amountIn, type Answer, objectIn, parseAnswer, textIn } from '../upstream-values.ts';
import { counted, reportOf, stateIn, type StateWords } from '../video/report.ts';

const states: StateWords = {
  preparing: 'queued',
  queueing: 'queued',
  queued: 'queued',
  processing: 'running',
  running: 'running',
  success: 'succeeded',
  succeeded: 'succeeded',
  fail: 'failed',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
};

/** Codes of both -> the status that each stands for. */
const statuses: Readonly<Record<string, number>> = {
  1000: 500,
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1013: 500,
  1024: 500,
  1026: 400,
  1027: 400,
  1033: 500,
  1039: 429,
  2013: 400,
  2049: 401,
  2056: 429,
};

function codeIn(answer: Answer): string | undefined {
  const code = amountIn(objectIn(answer, 'base_resp'), 'status_code');
  if (code !== undefined) return code === 0 ? undefined : String(code);
  return /\((\d{4})\)\s*$/.exec(textIn(objectIn(answer, 'error'), 'message') ?? '')?.[1];
}

export function readRefusal(body: Buffer, status: number): number | undefined {
  const answer = parseAnswer(body) ?? {};
  const code = codeIn(answer);
  const known = code === undefined ? undefined : statuses[code];
  if (known !== undefined) return known;
  const written = amountIn(objectIn(answer, 'error'), 'http_code');
  if (written !== undefined && written >= 400) return written;
  return code !== undefined && status < 300 ? 400 : undefined;
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  const answer = parseAnswer(body) ?? {};
  const error = objectIn(answer, 'error');
  const message = textIn(error, 'message') ?? textIn(objectIn(answer, 'base_resp'), 'status_msg');
  return { message, code: codeIn(answer) ?? textIn(error, 'type'), param: undefined };
}

export function readSubmitted(body: Buffer): string | undefined {
  const answer = parseAnswer(body) ?? {};
  return codeIn(answer) === undefined ? textIn(answer, 'task_id') : undefined;
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  return 'task' in answer ? readSecond(objectIn(answer, 'task')) : readFirst(answer);
}

function readFirst(answer: Answer): VideoReport | undefined {
  const state = stateIn(states, textIn(answer, 'status'));
  if (state === undefined) return undefined;
  const file = answer['file_id'];
  const fileId = typeof file === 'number' ? String(file) : textIn(answer, 'file_id');
  const { message: reason, code } = readComplaint(Buffer.from(JSON.stringify(answer)));
  return reportOf(state, {
    ...(fileId !== undefined && { linkAt: `/v1/files/retrieve?file_id=${encodeURIComponent(fileId)}` }),
    reason,
    code,
  });
}

export function readLink(body: Buffer): string | undefined {
  return addressIn(objectIn(parseAnswer(body) ?? {}, 'file'), 'download_url');
}

function readSecond(task: Answer): VideoReport | undefined {
  const state = stateIn(states, textIn(task, 'status'));
  if (state === undefined) return undefined;
  const usage = objectIn(task, 'usage');
  const seconds = amountIn(usage, 'total_seconds') ?? amountIn(usage, 'output_seconds');
  const error = objectIn(task, 'error');
  return reportOf(state, {
    videoUrl: addressIn(objectIn(task, 'content'), 'url'),
    reason: textIn(error, 'message'),
    code: textIn(error, 'code') ?? amountIn(error, 'code')?.toString(),
    reported: counted({ seconds, units: seconds, resolution: textIn(task, 'resolution')?.toUpperCase() }),
  });
}

/** Of a look for a task that cannot exist: whatever is said of it, a key that is refused gets another answer. */
export function isKnownKey(body: Buffer): boolean {
  const answer = parseAnswer(body) ?? {};
  return 'base_resp' in answer && statuses[codeIn(answer) ?? ''] !== 401;
}
