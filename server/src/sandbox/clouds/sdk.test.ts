// The vendors' own libraries against the simulated clouds: what they sign, frame and read is what the sandbox speaks.
import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import { after, test } from 'node:test';
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  CountTokensCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import OpenAI, { AzureOpenAI } from 'openai';
import { startSandbox } from '../server.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const NOVA = 'amazon.nova-2-lite-v1:0';
const says = (text: string) => [{ role: 'user' as const, content: [{ text }] }];

function bedrock(secretAccessKey = 'sandbox-secret', sessionToken?: string): BedrockRuntimeClient {
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: sandbox.baseUrl('bedrock'),
    requestHandler: new NodeHttpHandler(),
    maxAttempts: 1,
    credentials: { accessKeyId: 'AKIDSANDBOX', secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
  });
  after(() => client.destroy());
  return client;
}

test("bedrock: a signature of Amazon's own library is right, one with another secret is not", async () => {
  const answer = await bedrock('sandbox-secret', 'session').send(
    new ConverseCommand({ modelId: NOVA, messages: says('Hello') }),
  );
  assert.equal(answer.stopReason, 'end_turn');
  assert.ok((answer.usage?.inputTokens ?? 0) > 0);
  for (const [client, name] of [
    [bedrock('another-secret'), 'InvalidSignatureException'],
    [bedrock('sandbox-secret', 'expired-session'), 'ExpiredTokenException'],
  ] as const)
    await assert.rejects(client.send(new ConverseCommand({ modelId: NOVA, messages: says('Hello') })), { name });
});

test('bedrock: a bearer key is taken as well', async () => {
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: sandbox.baseUrl('bedrock'),
    requestHandler: new NodeHttpHandler(),
    token: { token: 'sandbox' },
    authSchemePreference: ['httpBearerAuth'],
  });
  after(() => client.destroy());
  const answer = await client.send(new ConverseCommand({ modelId: NOVA, messages: says('Hello') }));
  assert.equal(answer.$metadata.httpStatusCode, 200);
});

test("bedrock: Amazon's own library reads the frames of ConverseStream", async () => {
  const { stream } = await bedrock().send(
    new ConverseStreamCommand({
      modelId: NOVA,
      messages: says('Hello'),
      additionalModelRequestFields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } },
    }),
  );
  let text = '';
  let thoughts = '';
  const seen = new Set<string>();
  for await (const event of stream ?? []) {
    for (const name of Object.keys(event)) seen.add(name);
    text += event.contentBlockDelta?.delta?.text ?? '';
    thoughts += event.contentBlockDelta?.delta?.reasoningContent?.text ?? '';
  }
  assert.match(text, /Hello/);
  assert.notEqual(thoughts, '');
  assert.ok(seen.has('messageStop') && seen.has('metadata'));
});

test('bedrock: throttles inside a stream, damaged frames and errors are what the library expects', async () => {
  const ask = async (prompt: string): Promise<void> => {
    const { stream } = await bedrock().send(
      new ConverseStreamCommand({ modelId: NOVA, messages: says(`Hello [[${prompt}]]`) }),
    );
    for await (const event of stream ?? []) void event;
  };
  await assert.rejects(ask('throttle-event 2'), { name: 'ThrottlingException' });
  await assert.rejects(ask('damaged-frame 2'), /checksum/i);
  await assert.rejects(ask('rate-limited'), { name: 'ThrottlingException' });
  await assert.rejects(ask('fail 424'), { name: 'ModelErrorException' });
  const unknown = new ConverseCommand({ modelId: 'nobody.knows', messages: says('x') });
  await assert.rejects(bedrock().send(unknown), { name: 'ValidationException' });
});

test('bedrock: Claude is invoked, whole and streamed, and counted', async () => {
  const body = JSON.stringify({
    anthropic_version: 'bedrock-2023-05-31',
    max_tokens: 50,
    messages: [{ role: 'user', content: 'Hello' }],
  });
  const whole = await bedrock().send(new InvokeModelCommand({ modelId: CLAUDE, body }));
  const message = JSON.parse(Buffer.from(whole.body).toString()) as { type: string; usage: { input_tokens: number } };
  assert.equal(message.type, 'message');
  const streamed = await bedrock().send(new InvokeModelWithResponseStreamCommand({ modelId: CLAUDE, body }));
  const types: string[] = [];
  for await (const { chunk } of streamed.body ?? [])
    types.push((JSON.parse(Buffer.from(chunk?.bytes ?? []).toString()) as { type: string }).type);
  assert.deepEqual([types[0], types.at(-1)], ['message_start', 'message_stop']);
  const modelId = CLAUDE.replace('us.', '');
  const input = { invokeModel: { body: Buffer.from(body) } };
  const { inputTokens } = await bedrock().send(new CountTokensCommand({ modelId, input }));
  assert.equal(inputTokens, message.usage.input_tokens);
  await assert.rejects(bedrock().send(new CountTokensCommand({ modelId: CLAUDE, input })), /counting tokens/);
});

const chat = { messages: [{ role: 'user' as const, content: 'Hello' }] };

test("azure: openai's client of Azure and its plain one are answered, and its errors are Azure's", async () => {
  const endpoint = sandbox.baseUrl('azure');
  const azure = new AzureOpenAI({ endpoint, apiKey: 'sandbox', apiVersion: '2024-10-21', maxRetries: 0 });
  const whole = await azure.chat.completions.create({ model: 'gpt-4o-mini', ...chat });
  assert.match(whole.choices[0]?.message.content ?? '', /Hello/);
  let text = '';
  for await (const chunk of await azure.chat.completions.create({ model: 'gpt-4o-mini', ...chat, stream: true }))
    text += chunk.choices[0]?.delta.content ?? '';
  assert.equal(text, whole.choices[0]?.message.content);
  const plain = new OpenAI({ baseURL: `${endpoint}/openai/v1`, apiKey: 'sandbox', maxRetries: 0 });
  assert.equal((await plain.chat.completions.create({ model: 'gpt-4o', ...chat })).model, 'gpt-4o');
  const wrong = new AzureOpenAI({ endpoint, apiKey: 'bad', apiVersion: '2024-10-21', maxRetries: 0 });
  await assert.rejects(wrong.chat.completions.create({ model: 'gpt-4o', ...chat }), { status: 401, code: '401' });
  const missing = azure.chat.completions.create({ model: 'missing', ...chat });
  await assert.rejects(missing, { status: 404, code: 'DeploymentNotFound' });
});

test('azure: a token of Entra ID is given for a secret, refused for a wrong one, and expires', async () => {
  const fetchToken = async (secret: string): Promise<{ access_token: string; error: string }> => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'c',
      client_secret: secret,
      scope: 'https://cognitiveservices.azure.com/.default',
    });
    const answer = await fetch(`${sandbox.baseUrl('azure')}/tenant/oauth2/v2.0/token`, { method: 'POST', body });
    return (await answer.json()) as { access_token: string; error: string };
  };
  assert.equal((await fetchToken('bad')).error, 'invalid_client');
  const { access_token: token } = await fetchToken('good');
  const azure = new AzureOpenAI({
    endpoint: sandbox.baseUrl('azure'),
    azureADTokenProvider: async () => token,
    apiVersion: '2024-10-21',
    maxRetries: 0,
  });
  await azure.chat.completions.create({ model: 'gpt-4o', ...chat });
  sandbox.expireTokens();
  await assert.rejects(azure.chat.completions.create({ model: 'gpt-4o', ...chat }), { status: 401 });
  assert.ok(sandbox.records.every(({ rawBody }) => !rawBody.includes('client_secret')));
});

async function googleToken(): Promise<string> {
  const { private_key: pem = '', client_email: iss } = sandbox.serviceAccount();
  const now = Math.floor(Date.now() / 1000);
  const aud = 'https://oauth2.googleapis.com/token';
  const scope = 'https://www.googleapis.com/auth/cloud-platform';
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ alg: 'RS256' })}.${encode({ iss, aud, scope, iat: now, exp: now + 3600 })}`;
  const signature = sign('RSA-SHA256', Buffer.from(text), createPrivateKey(pem)).toString('base64url');
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${text}.${signature}`,
  });
  const answer = await fetch(`${sandbox.baseUrl('vertex')}/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

test("vertex: Google's own library in Vertex mode is answered with a token, and refused when it has expired", async () => {
  const token = await googleToken();
  const headers = new Headers({ authorization: `Bearer ${token}` });
  const authClient = { getRequestHeaders: async () => headers, on: () => authClient } as unknown;
  const google = new GoogleGenAI({
    vertexai: true,
    project: 'sandbox-project',
    location: 'us-central1',
    googleAuthOptions: { authClient } as never,
    httpOptions: { baseUrl: sandbox.baseUrl('vertex') },
  });
  const ask = { model: 'gemini-2.5-flash', contents: 'Hello' };
  const whole = await google.models.generateContent(ask);
  let text = '';
  for await (const chunk of await google.models.generateContentStream(ask)) text += chunk.text ?? '';
  assert.equal(text, whole.text);
  assert.ok(((await google.models.countTokens(ask)).totalTokens ?? 0) > 0);
  sandbox.expireTokens();
  await assert.rejects(google.models.generateContent(ask), { status: 401 });
});

test("vertex: Google's own library in express mode sends its key, without a project", async () => {
  const httpOptions = { baseUrl: sandbox.baseUrl('vertex') };
  const google = new GoogleGenAI({ vertexai: true, apiKey: 'sandbox', httpOptions });
  assert.match(
    (await google.models.generateContent({ model: 'gemini-2.5-flash', contents: 'Hello' })).text ?? '',
    /Hello/,
  );
});
