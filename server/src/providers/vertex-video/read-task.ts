// What a long-running prediction of Veo answers. The video is in the answer; what the safety filter took is not, and is counted.
import type { VideoReport } from '../../neutral/video.ts';
import { amountIn, firstIn, objectIn, parseAnswer, textIn } from '../upstream-values.ts';
import { reportOf } from '../video/report.ts';
import { INLINE_VIDEO, type InlineVideo } from '../video-provider.ts';

/** The name of the operation; it says of which project, location and model it is. */
export function readSubmitted(body: Buffer): string | undefined {
  const name = textIn(parseAnswer(body) ?? {}, 'name');
  return name !== undefined && modelOf(name) !== '' ? name : undefined;
}

/** Path of the model that an operation is of. */
export function modelOf(operation: string): string {
  return (
    /^(?:projects\/[\w.-]+\/locations\/[\w-]+\/)?publishers\/google\/models\/[\w.@-]+(?=\/operations\/[\w-]+$)/.exec(
      operation,
    )?.[0] ?? ''
  );
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  if (textIn(answer, 'name') === undefined) return undefined;
  if (answer['done'] !== true) return reportOf('running');
  const error = objectIn(answer, 'error');
  if (Object.keys(error).length > 0)
    return reportOf('failed', { reason: textIn(error, 'message'), code: textIn(error, 'status') });
  const response = objectIn(answer, 'response');
  if (textIn(firstIn(response, 'videos'), 'bytesBase64Encoded') !== undefined)
    return reportOf('succeeded', { videoUrl: INLINE_VIDEO });
  const [reason] = Array.isArray(response['raiMediaFilteredReasons'])
    ? (response['raiMediaFilteredReasons'] as unknown[])
    : [];
  if ((amountIn(response, 'raiMediaFilteredCount') ?? 0) > 0)
    return reportOf('refusedContent', { reason: textIn({ reason }, 'reason'), code: 'content_filtered' });
  return reportOf('succeeded');
}

export function readInline(body: Buffer): InlineVideo | undefined {
  const video = firstIn(objectIn(parseAnswer(body) ?? {}, 'response'), 'videos');
  const data = textIn(video, 'bytesBase64Encoded');
  if (data === undefined) return undefined;
  return { contentType: textIn(video, 'mimeType') ?? 'video/mp4', bytes: Buffer.from(data, 'base64') };
}
