// Kling: asynchronous tasks by path, charged by seconds or by the units that Kling deducts.
import { keyPairJwt } from '../credentials/key-pair-jwt.ts';
import type { Provider } from '../provider.ts';
import { parseAnswer } from '../upstream-values.ts';
import { chargedByTime } from '../video/bill-by-time.ts';
import type { VideoProvider } from '../video-provider.ts';
import { codeIn, readComplaint, readRecent, readRefusal, readSubmitted, readTask } from './read-task.ts';
import { planTask } from './write-task.ts';

const pathOf = (kind: unknown): string => `/v1/videos/${String(kind)}`;

const video: VideoProvider = {
  units: ['second', 'reported'],
  plan: planTask,
  submit: ({ body, sent }) => ({ method: 'POST', path: pathOf(sent['kind']), body }),
  readSubmitted,
  handleOf: ({ upstreamId, sent }) => ({ id: upstreamId, kind: String(sent['kind']) }),
  readRefusal,
  readComplaint,
  poll: ({ id, kind }) => ({ method: 'GET', path: `${pathOf(kind)}/${encodeURIComponent(id)}` }),
  readTask,
  // A submit without an answer is found by the name that we gave it.
  recent: {
    path: ({ sent }) => ({ method: 'GET', path: `${pathOf(sent['kind'])}?pageNum=1&pageSize=500` }),
    read: readRecent,
  },
  charged: chargedByTime,
};

export const kling: Provider = {
  name: 'kling',
  facts: {
    label: 'Kling',
    about: 'Asynchronous video of Kling, charged by seconds, mode and sound, or by deducted units',
    baseUrl: { example: 'https://api-singapore.klingai.com', hint: 'The host alone: the gateway adds /v1/videos' },
    key: { hint: 'API key; or ACCESS:SECRET, which signs a token for each call' },
    units: [],
    presets: [
      { vendor: 'Kling', baseUrl: 'https://api-singapore.klingai.com', note: 'Keys work on the host of their console' },
      {
        vendor: 'Kling, China',
        baseUrl: 'https://api-beijing.klingai.com',
        note: 'Keys work on the host of their console',
      },
    ],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  sign: keyPairJwt,
  test: {
    look: `${pathOf('text2video')}?pageNum=1&pageSize=1`,
    readComplaint,
    isAnswer: (body) => codeIn(parseAnswer(body) ?? {}) === 0,
  },
  video,
};
