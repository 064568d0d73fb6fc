// GET and HEAD /results/{file}: the videos and last frames behind the links of finished tasks, whole or in ranges. No key is
// asked: the signature is enough, as with the real services.
import { createHash } from 'node:crypto';
import { cutConnection, type Exchange, sendHead, waitFor } from '../http/exchange.ts';
import { openBody } from '../http/body-writer.ts';
import { sendBytes } from '../http/send-whole.ts';
import { makeFilm } from '../media/video/film.ts';
import { makePng } from '../media/png.ts';
import { noteTask } from './answer-created.ts';
import { readRange } from './byte-range.ts';
import { judgeLink, resultPrefix } from './result-link.ts';
import type { VideoStudio } from './studio.ts';
import type { VideoTask } from './task.ts';

/** Where nothing may ever be fetched from: the address at which clouds keep their secrets. */
const privateAddress = 'http://169.254.169.254/latest/meta-data/';
const filmLimit = 8;
const films = new Map<string, Promise<Buffer>>();

export async function answerResultFile(exchange: Exchange, studio: VideoStudio): Promise<void> {
  const { request, record } = exchange;
  request.resume();
  const name = record.path.slice(resultPrefix.length);
  const [, fileName = '', ending] = /^([0-9a-f]{32})(\.mp4|-last\.png)$/.exec(name) ?? [];
  const task = studio.tasks.findFile(fileName);
  if (record.method !== 'GET' && record.method !== 'HEAD') return refuse(exchange, 405, 'MethodNotAllowed');
  if (task === undefined) return refuse(exchange, 404, 'NoSuchKey');
  noteTask(exchange, task);
  const verdict = judgeLink(new URL(request.url ?? '/', 'http://sandbox'), studio, exchange.now());
  if (verdict === 'forged') return refuse(exchange, 403, 'SignatureDoesNotMatch');
  if (verdict === 'expired') return refuse(exchange, 403, 'AccessDenied');
  task.downloads += 1;
  await sendResult(exchange, task, ending === '.mp4' ? 'video' : 'picture');
}

export async function sendResult(exchange: Exchange, task: VideoTask, kind: 'video' | 'picture'): Promise<void> {
  const { linkFault, linkWaitMs } = task.behaviour;
  if (linkFault?.kind === 'fail') return refuse(exchange, linkFault.status, 'InternalError');
  if (linkFault?.kind === 'redirect') {
    sendHead(exchange, 302, { location: privateAddress, 'content-length': 0 });
    exchange.response.end();
    return;
  }
  const bytes =
    kind === 'video'
      ? await findFilm(task)
      : await makePng({ width: task.width, height: task.height, seed: task.prompt });
  const { headers, method } = exchange.request;
  const range = linkFault?.kind === 'ignore-range' ? 'whole' : readRange(headers.range, bytes.length);
  if (range === 'unsatisfiable') {
    return refuse(exchange, 416, 'InvalidRange', { 'content-range': `bytes */${bytes.length}` });
  }
  const part = range === 'whole' ? bytes : bytes.subarray(range.start, range.end + 1);
  sendHead(exchange, range === 'whole' ? 200 : 206, {
    'content-type': kind === 'video' ? 'video/mp4' : 'image/png',
    'content-length': part.length,
    ...(linkFault?.kind === 'ignore-range' ? {} : { 'accept-ranges': 'bytes' }),
    ...(range === 'whole' ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${bytes.length}` }),
    etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
    'last-modified': new Date(task.createdAt).toUTCString(),
  });
  if (method === 'HEAD') {
    exchange.response.end();
    return;
  }
  const half = Math.ceil(part.length / 2);
  const writer = openBody(exchange, {});
  await writer.write(part.subarray(0, half));
  if (linkFault?.kind === 'cut') return cutConnection(exchange);
  await waitFor(exchange, linkWaitMs);
  await writer.write(part.subarray(half));
  await writer.end();
}

/** A player asks for many ranges of one film; the last few are kept. */
export function findFilm({ width, height, seconds, fileName, model, prompt }: VideoTask): Promise<Buffer> {
  const known = films.get(fileName);
  if (known !== undefined) return known;
  const film = makeFilm({ width, height, seconds, seed: `${model}\n${prompt}` });
  films.set(fileName, film);
  const [oldest] = films.keys();
  if (films.size > filmLimit && oldest !== undefined) films.delete(oldest);
  return film;
}

/** XML, as object storage answers. */
async function refuse(exchange: Exchange, status: number, code: string, headers: object = {}): Promise<void> {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>\n`;
  await sendBytes(exchange, {
    status,
    bytes: Buffer.from(text),
    contentType: 'application/xml',
    headers: { ...headers },
  });
}
