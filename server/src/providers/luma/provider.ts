// Luma: its Agents API, and Dream Machine for the models before; charged by seconds.
import { bearer } from '../credentials/api-key.ts';
import type { Provider } from '../provider.ts';
import { chargedByTime } from '../video/bill-by-time.ts';
import type { VideoHandle, VideoProvider } from '../video-provider.ts';
import { idAt, parseAnswer } from '../upstream-values.ts';
import { readComplaint, readRefusal, readTask } from './read-task.ts';
import { planTask } from './write-task.ts';

const AGENTS = '/v1/generations';
const DREAM = '/dream-machine/v1/generations';

const pathOf = ({ id, api }: VideoHandle): string => `${api === 'dream' ? DREAM : AGENTS}/${encodeURIComponent(id)}`;

const video: VideoProvider = {
  units: ['second', 'reported'],
  plan: planTask,
  submit: ({ body, sent }) => ({ method: 'POST', path: sent['api'] === 'dream' ? `${DREAM}/video` : AGENTS, body }),
  readSubmitted: idAt('id'),
  handleOf: ({ upstreamId, sent }) => ({ id: upstreamId, api: String(sent['api']) }),
  readRefusal,
  readComplaint,
  poll: (handle) => ({ method: 'GET', path: pathOf(handle) }),
  readTask,
  cancel: (handle) => (handle['api'] === 'dream' ? { method: 'DELETE', path: pathOf(handle) } : undefined),
  // An hour.
  linksDieSoon: true,
  charged: chargedByTime,
};

export const luma: Provider = {
  name: 'luma',
  facts: {
    label: 'Luma',
    about: 'Asynchronous video of Luma: Agents (ray-3.2), and Dream Machine for ray-2 and before',
    baseUrl: { example: 'https://agents.lumalabs.ai', hint: 'The host alone: the gateway adds the path by the model' },
    key: { hint: 'API key, sent as a bearer token' },
    units: [],
    presets: [
      { vendor: 'Luma', baseUrl: 'https://agents.lumalabs.ai' },
      { vendor: 'Luma Dream Machine', baseUrl: 'https://api.lumalabs.ai', note: 'For ray-2, ray-flash-2 and ray-1-6' },
    ],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  sign: bearer,
  test: {
    look: `${AGENTS}?limit=1`,
    readComplaint,
    isAnswer: (body) => parseAnswer(body) !== undefined,
  },
  video,
};
