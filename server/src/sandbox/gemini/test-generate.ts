// Calls the generate-content-style endpoints in their own tests.
import assert from 'node:assert/strict';
import type { Sandbox } from '../server.ts';
import { call, type CallOptions, type Got } from '../test-client.ts';

export type Part = Record<string, unknown> & { text?: string };

export type Response = {
  candidates?: { content: { role: string; parts?: Part[] }; finishReason?: string; index: number }[];
  promptFeedback?: Record<string, unknown>;
  usageMetadata?: Record<string, unknown>;
  modelVersion: string;
  responseId: string;
  error?: { code: number; message: string; status: string; details?: Record<string, unknown>[] };
};

export type AskOptions = Omit<CallOptions, 'provider' | 'path'> & { model?: string; method?: string };

export function askModel(sandbox: Sandbox, method: string, body: unknown, options: AskOptions = {}): Promise<Got> {
  const { headers = {}, model = 'sandbox-generate', ...rest } = options;
  return call(sandbox, body, {
    provider: 'gemini',
    path: `/v1beta/models/${model}:${method}`,
    key: null,
    headers: { 'x-goog-api-key': 'sandbox', ...headers },
    ...rest,
  });
}

export function generateBody(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { contents: [{ role: 'user', parts: [{ text }] }], ...more };
}

export async function generate(sandbox: Sandbox, body: unknown, options: AskOptions = {}): Promise<Response> {
  const got = await askModel(sandbox, 'generateContent', body, options);
  assert.equal(got.status, 200, got.text);
  return JSON.parse(got.text) as Response;
}

export async function streamEvents(sandbox: Sandbox, body: unknown, options: AskOptions = {}): Promise<Response[]> {
  const got = await askModel(sandbox, 'streamGenerateContent?alt=sse', body, options);
  assert.equal(got.status, 200, got.text);
  return readChunks(got.text);
}

export function readChunks(text: string): Response[] {
  const blocks = text.split(/\r?\n\r?\n/).filter((block) => block !== '');
  return blocks.map((block) => JSON.parse(block.slice('data: '.length)) as Response);
}

export function readParts(response: Response | undefined): Part[] {
  return response?.candidates?.[0]?.content.parts ?? [];
}

export function joinWords(chunks: readonly Response[]): string {
  const words = chunks.flatMap(readParts).filter((part) => part['thought'] !== true);
  return words.map(({ text = '' }) => text).join('');
}
