// The rerank protocol that several vendors share, as the sandbox speaks it.
import { isObject } from '../fields/refuse.ts';
import type { SandboxProtocol } from '../protocol.ts';
import { writeError } from './error.ts';
import { answerRerank } from './rerank.ts';

export function createRerankProtocol(): SandboxProtocol {
  return {
    prefix: 'rerank',
    basePath: '/rerank/v1',
    // A vendor's own library posts to /v2.
    endpoints: [{ method: 'POST', path: /^\/v[12]\/rerank$/, answer: answerRerank }],
    readUserTexts: (body) => (isObject(body) && typeof body['query'] === 'string' ? [body['query']] : []),
    wantsStream: () => false,
    writeError,
  };
}
