// What the Interactions API answers. A video is in the answer itself, or a file that only the key opens. One that was withheld for
// its content is an interaction that is completed and has none.
import type { VideoReport } from '../../neutral/video.ts';
import { amountIn, type Answer, objectIn, objectsIn, parseAnswer, textIn } from '../upstream-values.ts';
import { counted, failedFor, reportOf, stateIn, type StateWords } from '../video/report.ts';
import { INLINE_VIDEO, type InlineVideo } from '../video-provider.ts';

const states: StateWords = {
  queued: 'queued',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  incomplete: failedFor('The interaction ended before the video was done.'),
  budget_exceeded: failedFor('The interaction came to the end of its budget.'),
  requires_action: failedFor('The model asked for something instead of making a video.'),
};

const WITHHELD = 'The vendor finished the task without a video: most likely its safety filter withheld it.';

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const state = stateIn(states, textIn(answer, 'status'));
  if (state === undefined) return undefined;
  const error = objectIn(answer, 'error');
  const reason = textIn(error, 'message');
  const reported = readUsage(objectIn(answer, 'usage'));
  if (state.status !== 'succeeded')
    return reportOf(state, { reason, code: textIn(error, 'status') ?? textIn(error, 'code') });
  const videoUrl = linkOf(videoIn(answer));
  return videoUrl === undefined
    ? reportOf('failed', { reason: reason ?? WITHHELD, code: 'no_video' })
    : reportOf(state, { videoUrl, reported });
}

export function readInline(body: Buffer): InlineVideo | undefined {
  const video = videoIn(parseAnswer(body) ?? {});
  const data = textIn(video ?? {}, 'data');
  if (data === undefined) return undefined;
  return { contentType: textIn(video ?? {}, 'mime_type') ?? 'video/mp4', bytes: Buffer.from(data, 'base64') };
}

/** Of the last output of the model. */
function videoIn(answer: Answer): Answer | undefined {
  const output = objectIn(answer, 'output_video');
  if (linkOf(output) !== undefined) return output;
  return objectsIn(answer, 'steps')
    .filter(({ type }) => type === 'model_output')
    .flatMap((step) => objectsIn(step, 'content'))
    .findLast(({ type }) => type === 'video');
}

/** A file is known by its name under the channel's own address: no other gets the key. */
function linkOf(video: Answer | undefined): string | undefined {
  if (video === undefined) return undefined;
  if (textIn(video, 'data') !== undefined) return INLINE_VIDEO;
  const uri = textIn(video, 'uri');
  const [, file] = /^(?:https:\/\/[^/]+\/[^/]+\/)?(files\/[\w-]+)(?::download)?(?:\?.*)?$/.exec(uri ?? '') ?? [];
  return file === undefined ? undefined : `/v1beta/${file}:download?alt=media`;
}

/** What costs most: the tokens of the video; all of the output where they are not separate. */
function readUsage(usage: Answer): VideoReport['reported'] {
  const video = objectsIn(usage, 'output_tokens_by_modality').find(
    (part) => textIn(part, 'modality')?.toLowerCase() === 'video',
  );
  return counted({ units: amountIn(video ?? {}, 'tokens') ?? amountIn(usage, 'total_output_tokens') });
}
