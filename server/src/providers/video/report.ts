// What a vendor says of a task, by a table of its state words.
import type { VideoProgress, VideoReport } from '../../neutral/video.ts';
import { reportedUnits } from './bill-by-time.ts';

export interface State {
  status: VideoProgress;
  progress: number;
  /** Why it failed, when the vendor does not say. */
  reason?: string;
}

const failed: State = { status: 'failed', progress: 100 };
const STATES = {
  queued: { status: 'queued', progress: 10 },
  running: { status: 'in_progress', progress: 50 },
  succeeded: { status: 'succeeded', progress: 100 },
  failed,
  cancelled: { ...failed, reason: 'The task was cancelled.' },
  expired: { ...failed, reason: 'The task expired before it was done.' },
  refusedContent: { ...failed, reason: 'The vendor withheld the video for its content.' },
} satisfies Record<string, State>;

/** In lower case -> what the vendor means by it. */
export type StateWords = Readonly<Record<string, keyof typeof STATES | State>>;

/** A failure that the vendor has a word for. */
export const failedFor = (reason: string): State => ({ ...failed, reason });

const NO_REASON = 'The vendor failed the task without giving a reason.';

/** A word that is not in the table says nothing. */
export function stateIn(words: StateWords, word: string | undefined): State | undefined {
  const known = word?.toLowerCase() ?? '';
  const state = Object.hasOwn(words, known) ? words[known] : undefined;
  return typeof state === 'string' ? STATES[state] : state;
}

export interface ReportFields {
  progress?: number | undefined;
  videoUrl?: string | undefined;
  linkAt?: string | undefined;
  reason?: string | undefined;
  code?: string | undefined;
  reported?: VideoReport['reported'];
}

/** What a vendor counted of a video, as far as it says so. */
export function counted({
  seconds = 0,
  units,
  resolution,
}: {
  seconds?: number | undefined;
  units?: unknown;
  resolution?: string | undefined;
}): VideoReport['reported'] {
  const known = reportedUnits(units);
  return {
    ...(seconds > 0 && { milliseconds: Math.round(seconds * 1000) }),
    ...(known !== undefined && { units: known }),
    ...(resolution !== undefined && { resolution }),
  };
}

export function reportOf(
  stateOrName: State | keyof typeof STATES,
  { progress, videoUrl, linkAt, reason, code, reported = {} }: ReportFields = {},
): VideoReport {
  const state: State = typeof stateOrName === 'string' ? STATES[stateOrName] : stateOrName;
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
