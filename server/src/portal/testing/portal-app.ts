// The portal API beside the operator API on one store, for tests: calls with a member's cookie, and members who have accepted
// their invites. Only tests import this folder.
import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { OperatorDependencies } from '../../operator/dependencies.ts';
import { makeOperatorApp } from '../../operator/testing/operator-app.ts';
import type { Store } from '../../store/store.ts';
import { registerPortalRoutes } from '../routes.ts';

export const PASSWORD = 'a good password';

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
type Answer = { status: number; body: any; cookie: string; headers: Record<string, unknown> };

export async function makePortalApp(
  store: Store,
  { oidc, ...more }: Pick<Partial<OperatorDependencies>, 'oidc' | 'clock'> = {},
) {
  const operator = await makeOperatorApp(store, { oidc, ...more });
  const app = Fastify({ trustProxy: true });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (!(error instanceof GatewayError)) return reply.code(error.statusCode ?? 500).send({ raw: error.message });
    const { message, type, publicCode: code } = error;
    return reply.code(error.status).send({ error: { message, type, param: error.details.param ?? null, code } });
  });
  await app.register(cookie);
  const dependencies = {
    store,
    clock: operator.clock,
    secretBox: operator.secretBox,
    oidc,
    ...more,
    currency: 'EUR',
    secureCookies: false,
    trustedProxies: undefined,
  };
  await app.register(
    async (scope) =>
      registerPortalRoutes(scope, {
        ...dependencies,
        onChange: async () => {},
        videoContent: () => Promise.reject(new Error()),
      }),
    { prefix: '/portal/v1' },
  );
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    who?: { cookie: string; csrf?: string; etag?: string },
  ): Promise<Answer> => {
    const answer = await app.inject({
      method: method as 'GET',
      url: `/portal/v1${path}`,
      ...(body !== undefined && { payload: body as object }),
      headers: {
        ...(who !== undefined && { cookie: `tollgate_portal=${who.cookie}` }),
        ...(who?.csrf !== undefined && { 'x-csrf-token': who.csrf }),
        ...(who?.etag !== undefined && { 'if-match': `"${who.etag}"` }),
      },
    });
    const made = answer.cookies.find(({ name }) => name === 'tollgate_portal')?.value ?? '';
    const text = answer.body;
    return {
      status: answer.statusCode,
      body: text.startsWith('{') ? JSON.parse(text) : text,
      cookie: made,
      headers: answer.headers,
    };
  };
  /** An account with a member who has accepted the invite. */
  const join = async (email: string, more: object = {}, accountId?: string) => {
    const account = accountId ?? (await operator.call('POST', '/accounts', { name: `of ${email}` })).body.id;
    const invited = (await operator.call('POST', `/accounts/${account}/members`, { email, ...more })).body;
    const { body, cookie: made } = await call('POST', '/invites/accept', {
      token: invited.invite.token,
      password: PASSWORD,
    });
    return { account, member: invited, who: { cookie: made, csrf: body.csrf_token as string } };
  };
  return { operator, app, call, join };
}
