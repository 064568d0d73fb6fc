// Azure OpenAI as the sandbox speaks it: the compatible endpoints under Azure's two kinds of addresses.
// https://learn.microsoft.com/azure/ai-foundry/openai/reference
import type { TokenIssuer } from '../clouds/token-issuer.ts';
import { isObject } from '../fields/refuse.ts';
import { judgeKey, readBearer, readKeyHeader } from '../http/keys.ts';
import type { Call, Caller, Endpoint, SandboxProtocol } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { createEntraToken } from './entra-token.ts';
import { expiredToken, noDeployment, writeError } from './error.ts';

const tokenPath = /^\/[\w.-]+\/oauth2\/v2\.0\/token$/;
const deploymentPath = /^\/openai\/deployments\/([^/]+)(\/.+)$/;
const datedVersion = /^20\d\d-\d\d-\d\d(-preview)?$/;

/** Where an address of Azure leads in the compatible protocol; undefined for none. */
function readAddress(path: string): { path: string; deployment?: string; isDated: boolean } | undefined {
  if (path.startsWith('/openai/v1/')) return { path: path.slice('/openai'.length), isDated: false };
  const [, deployment, rest] = deploymentPath.exec(path) ?? [];
  if (deployment !== undefined)
    return { path: `/v1${rest}`, deployment: decodeURIComponent(deployment), isDated: true };
  return path.startsWith('/openai/') ? { path: `/v1${path.slice('/openai'.length)}`, isDated: true } : undefined;
}

export function createAzureProtocol(openai: SandboxProtocol, issuer: TokenIssuer): SandboxProtocol {
  return {
    ...openai,
    prefix: 'azure',
    basePath: '/azure',
    endpoints: [
      { method: 'POST', path: tokenPath, takes: 'nothing', answer: createEntraToken(issuer) },
      ...openai.endpoints.map(asAzure),
    ],
    realtime: /^\/openai\/v1\/realtime$/,
    authenticate: (caller) => authenticate(caller, issuer),
    writeError,
    requestIdHeader: 'apim-request-id',
  };
}

function asAzure(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    path: { test: (path) => endpoint.path.test(readAddress(path)?.path ?? '') },
    answer: (call) => endpoint.answer(asCompatible(call)),
  };
}

function asCompatible(call: Call): Call {
  const address = readAddress(call.path);
  const version = call.query.get('api-version');
  if (address === undefined || (address.isDated && !datedVersion.test(version ?? '')))
    throw new Refusal({ status: 404 });
  const { path, deployment } = address;
  if (deployment === 'missing') throw new Refusal(noDeployment);
  const body = deployment !== undefined && isObject(call.body) ? { ...call.body, model: deployment } : call.body;
  return { ...call, path, body, behaviour: { ...call.behaviour, promptFilter: true } };
}

/** A key in its own header, or, on /openai/v1, a key or a token of Entra ID as a bearer. */
function authenticate({ head, path, now }: Caller, issuer: TokenIssuer): string {
  if (tokenPath.test(path)) return 'entra';
  const bearer = readBearer(head);
  if (bearer?.startsWith('sandbox-token-')) {
    if (issuer.judge(bearer, now) === 'good') return 'entra';
    throw new Refusal(expiredToken);
  }
  return judgeKey(readKeyHeader(head, 'api-key') ?? bearer, { absent: { status: 401 }, wrong: { status: 401 } });
}
