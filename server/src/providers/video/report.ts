// What a vendor says of a task, by a table of its state words.
import type { VideoProgress, VideoReport } from '../../neutral/video.ts';

export interface State {
  status: VideoProgress;
  progress: number;
  /** Why it failed, when the vendor does not say. */
  reason?: string;
}

export const queued: State = { status: 'queued', progress: 10 };
export const running: State = { status: 'in_progress', progress: 50 };
export const succeeded: State = { status: 'succeeded', progress: 100 };
export const failed: State = { status: 'failed', progress: 100 };
export const cancelled: State = { ...failed, reason: 'The task was cancelled.' };
export const expired: State = { ...failed, reason: 'The task expired before it was done.' };
export const refusedContent: State = { ...failed, reason: 'The vendor withheld the video for its content.' };

const NO_REASON = 'The vendor failed the task without giving a reason.';

/** A word that is not in the table says nothing. */
export function stateIn(states: Readonly<Record<string, State>>, word: string | undefined): State | undefined {
  const known = word?.toLowerCase() ?? '';
  return Object.hasOwn(states, known) ? states[known] : undefined;
}

export interface ReportFields {
  progress?: number | undefined;
  videoUrl?: string | undefined;
  linkAt?: string | undefined;
  reason?: string | undefined;
  code?: string | undefined;
  reported?: VideoReport['reported'];
}

export function reportOf(
  state: State,
  { progress, videoUrl, linkAt, reason, code, reported = {} }: ReportFields = {},
): VideoReport {
  const isDone = state.status === 'succeeded';
  const isFailed = state.status === 'failed';
  return {
    status: state.status,
    progress: state.status === 'in_progress' ? (progress ?? state.progress) : state.progress,
    videoUrl: isDone ? videoUrl : undefined,
    ...(isDone && linkAt !== undefined && { linkAt }),
    failReason: isFailed ? (reason ?? code ?? state.reason ?? NO_REASON) : undefined,
    failCode: isFailed ? code : undefined,
    reported,
    isUnknown: false,
  };
}
