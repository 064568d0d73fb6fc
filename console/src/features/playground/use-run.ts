// One run of a call: started, streamed, stopped, ended; and what came back.
import { useEffect, useRef, useState } from 'react';
import type { SampleCall } from '../../lib/code-samples.ts';
import { followVideo, type VideoState } from '../../lib/follow-video.ts';
import { type Answered, callPublic, streamChat } from '../../lib/gateway-client.ts';

export interface Result {
  text?: string;
  json?: unknown;
  /** Addresses of what was made, inside this page. */
  images?: string[];
  audio?: string;
  video?: string;
  /** Of a video that is being made, or was. */
  task?: VideoState;
  /** When it came into each state, since the submit. */
  steps?: VideoStep[];
}

export interface VideoStep {
  status: string;
  milliseconds: number;
}

export interface Run {
  busy: boolean;
  result: Result | undefined;
  error: unknown;
  answered: Answered | undefined;
  start(call: SampleCall, key: string, file: File | null): Promise<void>;
  stop(): void;
  clear(): void;
}

export function useRun(): Run {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();
  const [error, setError] = useState<unknown>();
  const [answered, setAnswered] = useState<Answered>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const clear = () => {
    running.current?.abort();
    setResult(undefined);
    setError(undefined);
    setAnswered(undefined);
  };
  return {
    busy,
    result,
    error,
    answered,
    clear,
    stop: () => running.current?.abort(),
    async start(call, key, file) {
      clear();
      const controller = new AbortController();
      running.current = controller;
      setBusy(true);
      try {
        const sent = { path: call.path, key, body: formOf(call, file), signal: controller.signal };
        if (call.body['stream'] === true) {
          let text = '';
          setAnswered(await streamChat(sent, (part) => setResult({ text: (text += part) })));
        } else if (call.path === '/v1/videos') {
          let task: VideoState | undefined;
          const steps: VideoStep[] = [];
          const begun = performance.now();
          const step = (status: string): void => {
            if (steps.at(-1)?.status !== status) steps.push({ status, milliseconds: performance.now() - begun });
          };
          const { video, ...facts } = await followVideo(sent, (state) => {
            task = state;
            step(state.status);
            setResult({ task, steps: [...steps] });
          });
          step('fetched');
          setResult({ ...(task !== undefined && { task }), steps, video: URL.createObjectURL(video) });
          setAnswered(facts);
        } else {
          const { response, ...facts } = await callPublic(sent);
          setResult(await readResult(response));
          setAnswered(facts);
        }
      } catch (problem) {
        if (!controller.signal.aborted) setError(problem);
      } finally {
        if (running.current === controller) setBusy(false);
      }
    },
  };
}

function formOf({ body, file: field }: SampleCall, file: File | null): Record<string, unknown> | FormData {
  if (field === undefined || file === null) return body;
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.set(name, String(value));
  form.set(field, file);
  return form;
}

async function readResult(response: Response): Promise<Result> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('audio/')) return { audio: URL.createObjectURL(await response.blob()) };
  if (!type.includes('json')) return { text: await response.text() };
  const json = (await response.json()) as { text?: unknown; data?: { b64_json?: unknown }[] };
  const images = Array.isArray(json.data)
    ? json.data.map(({ b64_json }) => b64_json).filter((one) => typeof one === 'string')
    : [];
  if (images.length > 0) return { images: images.map((one) => `data:${imageType(one)};base64,${one}`) };
  return typeof json.text === 'string' ? { text: json.text, json } : { json };
}

/** By the first bytes, as they look in base64. */
function imageType(base64: string): string {
  if (base64.startsWith('/9j/')) return 'image/jpeg';
  return base64.startsWith('UklGR') ? 'image/webp' : 'image/png';
}
