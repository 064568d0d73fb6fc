// Pictures by link, fetched for providers that take none: they become data addresses, within limits and under the guard.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { AddressRefused, discardBody } from '../../providers/guarded/guarded-client.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import type { TaskDependencies } from '../dependencies.ts';

const REDIRECTS = 3;
const LIMITS = { connectMs: 10_000, firstByteMs: 15_000, idleMs: 15_000 };
const TOTAL_MS = 60_000;
/** What such providers take of one picture. */
const MOST_BYTES = 20 * 1024 * 1024;
const MOST_PICTURES = 10;
const LINK = /^https?:\/\//i;

/** The same request with the bytes of its pictures; throws invalid_request by the field's name. */
export async function inlinePictures(
  dependencies: Pick<TaskDependencies, 'guarded'>,
  request: VideoRequest,
): Promise<VideoRequest> {
  const { images, image, inputReference } = request;
  if (images.length > MOST_PICTURES)
    throw invalidRequest(`'images' must have at most ${MOST_PICTURES} pictures for this model.`, 'images');
  const known = new Map<string, string>();
  const inline = async (address: string, field: string): Promise<string> => {
    const link = address.trim();
    if (!LINK.test(link)) return address;
    const data = known.get(link) ?? (await fetchPicture(dependencies, link, field));
    known.set(link, data);
    return data;
  };
  const inlined: string[] = [];
  for (const one of images) inlined.push(await inline(one, one === image ? 'image' : 'images'));
  return {
    ...request,
    images: inlined,
    image: image === undefined ? undefined : await inline(image, 'image'),
    inputReference: inputReference === undefined ? undefined : await inline(inputReference, 'input_reference'),
  };
}

async function fetchPicture(
  { guarded }: Pick<TaskDependencies, 'guarded'>,
  url: string,
  field: string,
): Promise<string> {
  const refuse = (why: string) => invalidRequest(`'${field}' holds a link that ${why}.`, field);
  try {
    const answer = await guarded.call({
      url,
      method: 'GET',
      headers: { accept: 'image/*' },
      redirects: REDIRECTS,
      limits: LIMITS,
      signal: AbortSignal.timeout(TOTAL_MS),
    });
    const [type = ''] = String(answer.headers['content-type'] ?? '').split(';');
    if (answer.status !== 200 || !/^image\/[\w.+-]+$/i.test(type.trim())) {
      discardBody(answer.body);
      throw refuse(answer.status === 200 ? 'is no picture' : `was answered with ${answer.status}`);
    }
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MOST_BYTES) throw refuse(`has more than ${MOST_BYTES / 1024 / 1024} MiB`);
      pieces.push(piece);
    }
    return `data:${type.trim().toLowerCase()};base64,${Buffer.concat(pieces).toString('base64')}`;
  } catch (error) {
    if (error instanceof AddressRefused) throw refuse('must not be followed');
    if (error instanceof UpstreamError || isAbort(error)) throw refuse('cannot be fetched');
    throw error;
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
}
