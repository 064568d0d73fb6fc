// Calls to the public API as any client makes them, with an access token, for the playground and the first steps.
import { readApiError } from './api-error.ts';
import { gatewayUrl } from './addresses.ts';
import { EventReader } from './read-events.ts';
import { t } from '../i18n/t.ts';

export interface PublicCall {
  path: string;
  key: string;
  body: Record<string, unknown> | FormData;
  signal?: AbortSignal;
}

export interface Answered {
  requestId: string | null;
  milliseconds: number;
}

async function send({ path, key, body, signal }: PublicCall): Promise<Response> {
  const json = !(body instanceof FormData);
  const response = await fetch(`${gatewayUrl}${path}`, {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${key}`, ...(json && { 'content-type': 'application/json' }) },
    body: json ? JSON.stringify(body) : body,
    ...(signal !== undefined && { signal }),
  });
  if (!response.ok) throw await readApiError(response);
  return response;
}

export async function callPublic(call: PublicCall): Promise<Answered & { response: Response }> {
  const started = performance.now();
  const response = await send(call);
  return { response, requestId: response.headers.get('x-request-id'), milliseconds: performance.now() - started };
}

interface ChatEvent {
  choices?: { delta?: { content?: string | null } }[];
  error?: { message?: string };
}

/** Hands on each piece of the answer as it comes. */
export async function streamChat(call: PublicCall, onText: (text: string) => void): Promise<Answered> {
  const started = performance.now();
  const response = await send(call);
  const events = new EventReader();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    for (const data of events.read(part.value)) {
      if (data === '[DONE]') continue;
      const event = JSON.parse(data) as ChatEvent;
      if (event.error !== undefined) throw new Error(event.error.message ?? t('The stream ended with an error.'));
      const text = event.choices?.[0]?.delta?.content;
      if (typeof text === 'string') onText(text);
    }
  }
  return { requestId: response.headers.get('x-request-id'), milliseconds: performance.now() - started };
}
