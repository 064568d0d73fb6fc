// Upstreams of video family alpha: asynchronous tasks, charged by the second (spec 2.6).
import { bearer } from '../credentials/api-key.ts';
import type { Provider } from '../provider.ts';
import type { VideoProvider } from '../video-provider.ts';
import { chargedFor } from './billable.ts';
import { readComplaint, readRecent, readRefusal, readSubmitted, readTask } from './read-task.ts';
import { planTask } from './write-task.ts';

const TASKS = '/api/v1/tasks';
/** A task that cannot exist: the upstream says so, but only to a key that it knows. */
const NO_TASK = '00000000-0000-0000-0000-000000000000';

const pathOf = (id: string): string => `${TASKS}/${encodeURIComponent(id)}`;

const video: VideoProvider = {
  units: ['second', 'reported'],
  plan: planTask,
  // Without this header the upstream takes the call for a synchronous one and refuses it.
  submit: ({ body }) => ({
    method: 'POST',
    path: '/api/v1/services/aigc/video-generation/video-synthesis',
    headers: { 'x-dashscope-async': 'enable' },
    body,
  }),
  readSubmitted,
  readRefusal,
  readComplaint,
  poll: ({ id }) => ({ method: 'GET', path: pathOf(id) }),
  readTask,
  cancel: ({ id }) => ({ method: 'POST', path: `${pathOf(id)}/cancel` }),
  // Not narrowed by time: the upstream reads times without a zone. The newest come first.
  recent: { path: () => ({ method: 'GET', path: `${TASKS}?page_no=1&page_size=100` }), read: readRecent },
  charged: chargedFor,
};

export const alphaVideo: Provider = {
  name: 'alpha',
  facts: {
    label: 'Video, family alpha (Alibaba Cloud)',
    about: 'Asynchronous video with seconds and resolutions: HappyHorse on Alibaba Cloud Model Studio',
    baseUrl: { example: 'https://dashscope-intl.aliyuncs.com', hint: 'The host alone: the gateway adds /api/v1' },
    key: { hint: 'API key, sent as a bearer token' },
    units: [],
    presets: [
      {
        vendor: 'Alibaba Cloud Model Studio',
        baseUrl: 'https://dashscope-intl.aliyuncs.com',
        note: 'Singapore; keys belong to one region',
      },
      {
        vendor: 'Alibaba Cloud Model Studio, China',
        baseUrl: 'https://dashscope.aliyuncs.com',
        note: 'Beijing; keys belong to one region',
      },
    ],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  sign: bearer,
  test: { look: pathOf(NO_TASK), readComplaint, isAnswer: (body) => readTask(body) !== undefined },
  video,
};
