// A video as a client makes it: submitted, asked about until it has an end, and fetched.
import { readApiError } from './api-error.ts';
import { type Answered, callPublic, type PublicCall } from './gateway-client.ts';
import { gatewayUrl } from './addresses.ts';
import { t } from '../i18n/t.ts';

export interface VideoState {
  id: string;
  status: string;
  progress: number;
}

interface VideoAnswer extends VideoState {
  error: { message?: string } | null;
}

/** As the interface asks of clients (spec 8). */
const FIRST_PAUSE_MS = 2_000;
const PAUSE_MS = 5_000;

/** Resolves with the video; rejects with the reason of its failure. */
export async function followVideo(
  call: PublicCall,
  onState: (state: VideoState) => void,
): Promise<Answered & { video: Blob }> {
  const started = performance.now();
  const { response, requestId } = await callPublic(call);
  let answer = (await response.json()) as VideoAnswer;
  const path = `/v1/videos/${encodeURIComponent(answer.id)}`;
  onState(answer);
  for (let ms = FIRST_PAUSE_MS; answer.status === 'queued' || answer.status === 'in_progress'; ms = PAUSE_MS) {
    await pause(ms, call.signal);
    answer = (await (await get(path, call)).json()) as VideoAnswer;
    onState(answer);
  }
  if (answer.status !== 'completed') throw new Error(answer.error?.message ?? t('The video could not be made.'));
  const video = await (await get(`${path}/content`, call)).blob();
  return { video, requestId, milliseconds: performance.now() - started };
}

async function get(path: string, { key, signal }: PublicCall): Promise<Response> {
  const response = await fetch(`${gatewayUrl}${path}`, {
    credentials: 'omit',
    headers: { authorization: `Bearer ${key}` },
    ...(signal !== undefined && { signal }),
  });
  if (!response.ok) throw await readApiError(response);
  return response;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Error('stopped'));
    });
  });
}
