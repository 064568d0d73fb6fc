// A video, in the words of no client and no provider: the request, what became of it, and what it is charged by.

/** Read from either client shape; the types are right, whether a provider can do it is not judged yet. */
export interface VideoRequest {
  model: string;
  prompt: string;
  /** `image` is already in here when `images` was empty (spec 2.1). */
  images: readonly string[];
  image: string | undefined;
  inputReference: string | undefined;
  /** As text, whatever it says (spec 2.1). */
  seconds: string | undefined;
  duration: number | undefined;
  size: string | undefined;
  /** `size` sets resolution and ratio, and is refused where it cannot (POST /v1/videos, contract-2 7). */
  sizeBinds?: true;
  mode: string | undefined;
  metadata: Readonly<Record<string, unknown>>;
  /** Names of the request's other fields, which mean nothing here. */
  unknown: readonly string[];
  /** It is this video, which the provider keeps, with another prompt. */
  remix?: RemixSource;
}

export interface RemixSource {
  /** Of the task, as clients know it. */
  id: string;
  upstreamId: string;
  seconds: number | undefined;
  size: string | undefined;
}

/** What a video is charged by: time and resolution, tokens and their tier, or units that the vendor counts itself. */
export type VideoUsage =
  /** `traits`: what was really sent that may have a factor, as `name:value`. */
  | { by: 'time'; milliseconds: number; resolution: string; traits?: readonly string[] }
  /** Decimal text: credits and dollars have fractions. */
  | { by: 'reported'; units: string }
  | { by: 'tokens'; tokens: number; tier: 'generate' | 'video_input' };

export type VideoProgress = 'queued' | 'in_progress' | 'succeeded' | 'failed';

/** What a provider says of a task it was asked about. */
export interface VideoReport {
  status: VideoProgress;
  /** 0 to 100. */
  progress: number;
  /** Set when it has succeeded; a provider may say so before it says where the video is. */
  videoUrl: string | undefined;
  /** Where the provider tells the link instead, as a path of its own API: asked before the report counts. */
  linkAt?: string;
  /** Set when it has failed, in the provider's words. */
  failReason: string | undefined;
  /** The provider's code for that, where it has one. */
  failCode: string | undefined;
  /** What the provider counted, as far as it said; the provider's adapter reads it back in `charged`. */
  reported: Readonly<Record<string, number | string>>;
  /** The provider does not know the task. `status` is then failed, but soon after the submit it may only mean not yet. */
  isUnknown: boolean;
}

/** As the task wrapper spells them (spec 3). */
export type TaskStatus = 'SUBMITTED' | 'QUEUED' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE';

/** What clients are shown of a task, in either shape. */
export interface TaskView {
  id: string;
  model: string;
  status: TaskStatus;
  /** 0 to 100. */
  progress: number;
  /** Unix seconds. */
  createdAt: number;
  completedAt: number | undefined;
  seconds: number | undefined;
  size: string | undefined;
  resultUrl: string | undefined;
  failReason: string | undefined;
  errorCode: string | undefined;
  /** The task whose video it is a remix of. */
  remixedFrom?: string | undefined;
}
