// The portal API: everything under the prefix it is mounted at, `/portal/v1`. Whatever a route reads is of the member's account.
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { checkInput } from '../operator/check-input.ts';
import { offerListFiles } from '../operator/list-files.ts';
import type { PortalDependencies } from './dependencies.ts';
import { MEMBER_DECORATOR, memberAuthenticator } from './member-session.ts';
import { portalAccountRoutes } from './nouns/account.ts';
import { portalActivityRoutes } from './nouns/activity.ts';
import { portalSessionRoutes } from './nouns/session.ts';
import { portalTokenRoutes } from './nouns/tokens.ts';

const nouns = [portalSessionRoutes, portalAccountRoutes, portalTokenRoutes, portalActivityRoutes];
const BODY_BYTES = 64 * 1024;

export async function registerPortalRoutes(app: FastifyInstance, dependencies: PortalDependencies): Promise<void> {
  app.setValidatorCompiler(checkInput);
  app.setSerializerCompiler(serializerCompiler);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_BYTES },
    (request, body: string, done) => {
      if (body === '') done(null, undefined);
      else void parseJson(request, body, done);
    },
  );
  if (!app.hasRequestDecorator('cookies')) await app.register(cookie);
  app.decorateRequest(MEMBER_DECORATOR, null);
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.addHook('onRequest', memberAuthenticator(dependencies));
  offerListFiles(app);
  const typed = app.withTypeProvider<ZodTypeProvider>();
  for (const register of nouns) register(typed, dependencies);
}
