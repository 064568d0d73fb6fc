// Google Vertex AI as the sandbox speaks it: its paths on one screen. https://cloud.google.com/vertex-ai/docs/reference/rest
import { writeError as writeClaudeError } from '../anthropic/error.ts';
import { readUserTexts as readMessageTexts } from '../anthropic/user-texts.ts';
import type { TokenIssuer } from '../clouds/token-issuer.ts';
import { isObject } from '../fields/refuse.ts';
import { writeError as writeGoogleError } from '../gemini/error.ts';
import { answerCountTokens, answerGenerateContent, answerStreamGenerateContent } from '../gemini/generate-content.ts';
import { readUserTexts as readContentTexts } from '../gemini/user-texts.ts';
import { judgeKey, readBearer, readKeyHeader } from '../http/keys.ts';
import { sendWhole } from '../http/send-whole.ts';
import { answerChatCompletions } from '../openai/chat/chat-completions.ts';
import type { Call, Caller, SandboxProtocol } from '../protocol.ts';
import { type Failure, Refusal } from '../refusal.ts';
import { answerCount, answerRawPredict } from './claude.ts';
import { createGoogleToken } from './token.ts';

const base = '\\/v1(?:beta1)?(?:\\/projects\\/[^/]+\\/locations\\/[^/]+)?';
const at = (rest: string): RegExp => new RegExp(`^${base}${rest}$`);
const claude = (action: string): RegExp => at(`\\/publishers\\/anthropic\\/models\\/[^/]+:${action}`);
const gemini = (action: string): RegExp => at(`\\/(?:publishers\\/google\\/models|endpoints)\\/[^/]+:${action}`);
const publisherModels = ['gemini-3-pro-preview', 'gemini-2.5-pro', 'gemini-2.5-flash'];

const expired: Failure = {
  status: 401,
  message:
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  details: [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'ACCESS_TOKEN_EXPIRED',
      domain: 'googleapis.com',
      metadata: { service: 'aiplatform.googleapis.com' },
    },
  ],
};

export function createVertexProtocol(issuer: TokenIssuer): SandboxProtocol {
  return {
    prefix: 'vertex',
    basePath: '/vertex',
    endpoints: [
      { method: 'POST', path: /^\/token$/, takes: 'nothing', answer: createGoogleToken(issuer) },
      { method: 'POST', path: gemini('generateContent'), answer: answerGenerateContent },
      { method: 'POST', path: gemini('streamGenerateContent'), answer: answerStreamGenerateContent },
      { method: 'POST', path: gemini('countTokens'), answer: answerCountTokens },
      { method: 'POST', path: at('\\/publishers\\/anthropic\\/models\\/count-tokens:rawPredict'), answer: answerCount },
      { method: 'POST', path: claude('(?:stream)?[rR]awPredict'), answer: answerRawPredict },
      { method: 'POST', path: at('\\/endpoints\\/openapi\\/chat\\/completions'), answer: answerOpenModel },
      { method: 'GET', path: at('\\/publishers\\/google\\/models'), answer: listModels },
    ],
    authenticate: (caller) => authenticate(caller, issuer),
    readUserTexts: (body) => [...readMessageTexts(body), ...readContentTexts(body)],
    wantsStream: (body, { path }) => /:stream/.test(path) || (isObject(body) && body['stream'] === true),
    writeError: (failure, about) =>
      about.head.path.includes('/publishers/anthropic/') && failure.status !== 401
        ? writeClaudeError(failure, about)
        : writeGoogleError(failure, about),
  };
}

/** `publisher/name`, of any publisher. */
async function answerOpenModel(call: Call): Promise<void> {
  const model = isObject(call.body) ? String(call.body['model']) : '';
  if (!/^[\w-]+\/[\w.-]+$/.test(model))
    throw new Refusal({ status: 400, message: `Malformed publisher model \`${model.slice(0, 200)}\`.` });
  await answerChatCompletions({ ...call, models: [...call.models, model] });
}

async function listModels({ exchange, behaviour }: Call): Promise<void> {
  const models = publisherModels.map((name) => ({ name: `publishers/google/models/${name}`, versionId: 'default' }));
  await sendWhole(exchange, { body: { publisherModels: models } }, behaviour);
}

/** A token of a service account, or, without a project, an API key. */
function authenticate({ head, path, now }: Caller, issuer: TokenIssuer): string {
  if (path === '/token') return 'service-account';
  const bearer = readBearer(head);
  if (bearer !== undefined) {
    if (issuer.judge(bearer, now) === 'good') return 'service-account';
    throw new Refusal(expired);
  }
  const key = readKeyHeader(head, 'x-goog-api-key') ?? head.query.get('key') ?? undefined;
  return judgeKey(key, {
    absent: expired,
    wrong: { status: 400, message: 'API key not valid. Please pass a valid API key.' },
  });
}
