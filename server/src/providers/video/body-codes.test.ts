// The code in a vendor's body goes before its status: an empty account, a throttle, a refused key and a bad request are
// distinguished by each vendor's own words (contract-2 9). The bodies are those of the vendors' pages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProvider } from '../registry.ts';

const kling = (code: number): object => ({ code, message: 'words', request_id: 'r' });
const first = (status_code: number): object => ({ base_resp: { status_code, status_msg: 'words' } });
const second = (type: string, code: number, http: number): object => ({
  type: 'error',
  error: { type, message: `words (${code})`, http_code: String(http) },
});
const vidu = (reason: string, code: number): object => ({ code, reason, message: 'words', metadata: {} });
const google = (message: string, reason?: string): object => ({
  error: { message, status: 'X', details: reason === undefined ? [] : [{ reason }] },
});

/** What is answered, with which status, and the status that it stands for. */
const golden: [provider: string, status: number, body: object, meant: number][] = [
  ['kling', 429, kling(1101), 402],
  ['kling', 429, kling(1102), 402],
  ['kling', 429, kling(1302), 429],
  ['kling', 429, kling(1303), 429],
  ['kling', 429, kling(1304), 403],
  ['kling', 200, kling(1201), 400],
  ['kling', 400, kling(1301), 400],
  ['kling', 401, kling(1002), 401],
  ['kling', 200, { ...kling(0), data: { task_id: '1' } }, 200],
  ['minimax', 200, first(1008), 402],
  ['minimax', 200, first(1002), 429],
  ['minimax', 200, first(1039), 429],
  ['minimax', 200, first(1004), 401],
  ['minimax', 200, first(1026), 400],
  ['minimax', 200, first(2013), 400],
  ['minimax', 200, { task_id: '1', ...first(0) }, 200],
  ['minimax', 402, second('insufficient_balance_error', 1008, 402), 402],
  ['minimax', 429, second('rate_limit_error', 1002, 429), 429],
  ['vidu', 400, vidu('CreditInsufficient', 400), 402],
  ['vidu', 429, vidu('SystemThrottling', 429), 429],
  ['vidu', 400, vidu('QuotaExceeded', 400), 429],
  ['vidu', 400, vidu('FieldInvalid', 400), 400],
  ['runway', 400, { error: 'You do not have enough credits to run this task.' }, 402],
  ['runway', 400, { error: 'Validation of body failed', issues: [] }, 400],
  ['runway', 429, { error: 'Too many requests' }, 429],
  ['luma', 400, { detail: 'Insufficient credits' }, 402],
  ['luma', 402, { detail: 'No balance' }, 402],
  ['luma', 400, { detail: 'Invalid aspect ratio' }, 400],
  ['luma', 429, { detail: 'Too many requests' }, 429],
  ['xai-video', 429, { code: 'x', error: 'Your team has used all available credits.' }, 402],
  ['xai-video', 403, { code: 'x', error: "Your newly created team doesn't have any credits yet." }, 402],
  ['xai-video', 429, { code: 'x', error: 'Too many requests.' }, 429],
  ['xai-video', 403, { code: 'x', error: 'Content violates usage guidelines.' }, 403],
  ['gemini-video', 429, google('Your prepayment credits are depleted.'), 402],
  ['gemini-video', 429, google('Quota exceeded.'), 429],
  ['gemini-video', 400, google('API key not valid.', 'API_KEY_INVALID'), 401],
  ['vertex-video', 403, google('This API method requires billing to be enabled.'), 402],
  ['vertex-video', 429, google('Resource exhausted.'), 429],
  ['vertex-video', 403, google('Permission denied.'), 403],
  ['openai', 429, { error: { code: 'insufficient_quota', message: 'words' } }, 402],
  ['openai', 403, { code: 'insufficient_user_quota', message: 'words' }, 402],
  ['openai', 429, { error: { code: 'rate_limit_exceeded', message: 'words' } }, 429],
  ['openai', 200, { code: 'invalid_request', message: 'words' }, 400],
];

for (const [name, status, body, meant] of golden)
  test(`${name}: ${status} ${JSON.stringify(body)} is ${meant}`, () => {
    const video = findProvider(name)?.video ?? assert.fail(name);
    assert.equal(video.readRefusal(Buffer.from(JSON.stringify(body)), status) ?? status, meant);
  });
