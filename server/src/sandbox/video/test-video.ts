// Calls the video families in their tests, on a clock that the test moves.
import { startSandbox } from '../server.ts';
import { call, type CallOptions, type Got } from '../test-client.ts';

export type Wire = Record<string, unknown>;
export type Answer = Got & { json: Wire };

const submitPaths = {
  alpha: '/api/v1/services/aigc/video-generation/video-synthesis',
  'beta-video': '/contents/generations/tasks',
} as const;

export async function openVideoSandbox(provider: 'alpha' | 'beta-video') {
  let time = Date.UTC(2026, 3, 20, 11, 33, 50, 425);
  const sandbox = await startSandbox({ now: () => time });
  const headers = provider === 'alpha' ? { 'x-dashscope-async': 'enable' } : {};

  async function ask(options: CallOptions, body: unknown = {}): Promise<Answer> {
    const got = await call(sandbox, body, { provider, ...options });
    return { ...got, json: parse(got.text) };
  }

  return {
    sandbox,
    ask,
    submit: (body: unknown, options: CallOptions = {}) =>
      ask({ path: submitPaths[provider], headers, ...options }, body),
    look: (path: string, options: CallOptions = {}) => ask({ method: 'GET', path, ...options }),
    pass(milliseconds: number) {
      time += milliseconds;
    },
  };
}

function parse(text: string): Wire {
  try {
    return JSON.parse(text) as Wire;
  } catch {
    return {};
  }
}
