// Upstreams of video family beta: asynchronous tasks, charged by tokens (spec 2.5).
import { readComplaint } from '../../protocols/openai-chat/error.ts';
import { bearer } from '../credentials/api-key.ts';
import type { Provider } from '../provider.ts';
import { listLook } from '../test-calls.ts';
import { idAt } from '../upstream-values.ts';
import type { VideoProvider } from '../video-provider.ts';
import { chargedFor } from './billable.ts';
import { readRecent, readRefusal, readTask } from './read-task.ts';
import { planTask } from './write-task.ts';

const TASKS = '/contents/generations/tasks';

const pathOf = (id: string): string => `${TASKS}/${encodeURIComponent(id)}`;

const video: VideoProvider = {
  units: ['video_tokens', 'reported'],
  plan: planTask,
  submit: ({ body }) => ({ method: 'POST', path: TASKS, body }),
  readSubmitted: idAt('id'),
  readRefusal,
  readComplaint,
  poll: ({ id }) => ({ method: 'GET', path: pathOf(id) }),
  readTask,
  cancel: ({ id }) => ({ method: 'DELETE', path: pathOf(id) }),
  recent: {
    // Without the filter the upstream lists no task of the slower tier.
    path: ({ sent }) => ({
      method: 'GET',
      path: `${TASKS}?page_num=1&page_size=100${sent['isFlex'] === true ? '&filter.service_tier=flex' : ''}`,
    }),
    read: readRecent,
  },
  charged: chargedFor,
};

export const betaVideo: Provider = {
  name: 'beta-video',
  facts: {
    label: 'Video, family beta (Volcengine, BytePlus)',
    about: 'Asynchronous video charged by tokens: Seedance on Volcengine Ark and BytePlus ModelArk',
    baseUrl: { example: 'https://ark.ap-southeast.bytepluses.com/api/v3', hint: 'Ends in /api/v3' },
    key: { hint: 'API key, sent as a bearer token' },
    units: [],
    presets: [
      { vendor: 'BytePlus ModelArk', baseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3' },
      { vendor: 'Volcengine Ark', baseUrl: 'https://ark.cn-beijing.volces.com/api/v3', note: 'China' },
    ],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  sign: bearer,
  test: listLook(`${TASKS}?page_num=1&page_size=1`, 'items', readComplaint),
  video,
};
