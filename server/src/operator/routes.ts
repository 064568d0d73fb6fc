// The operator API: everything under the prefix it is mounted at, `/operator/v1`.
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { checkInput } from './check-input.ts';
import type { OperatorDependencies } from './dependencies.ts';
import { answerOnce, rememberBody } from './idempotency.ts';
import { sendEtags } from './etag.ts';
import { offerListFiles } from './list-files.ts';
import { accountRoutes } from './nouns/accounts.ts';
import { alertSinkRoutes } from './nouns/alert-sinks.ts';
import { alertRoutes } from './nouns/alerts.ts';
import { attentionRoutes } from './nouns/attention.ts';
import { auditRoutes } from './nouns/audit.ts';
import { channelBoardRoutes } from './nouns/channel-board.ts';
import { channelKeyRoutes } from './nouns/channel-keys.ts';
import { channelRoutes } from './nouns/channels.ts';
import { configFileRoutes } from './nouns/config-files.ts';
import { exportRoutes } from './nouns/exports.ts';
import { flagRoutes } from './nouns/flags.ts';
import { groupRoutes } from './nouns/groups.ts';
import { ledgerRoutes } from './nouns/ledger.ts';
import { memberRoutes } from './nouns/members.ts';
import { codeRoutes } from './nouns/codes.ts';
import { modelRoutes } from './nouns/models.ts';
import { providerRoutes } from './nouns/providers.ts';
import { priceRoutes } from './nouns/prices.ts';
import { operatorKeyRoutes } from './nouns/operator-keys.ts';
import { operatorRoutes } from './nouns/operators.ts';
import { processRoutes } from './nouns/process-state.ts';
import { requestRoutes } from './nouns/requests.ts';
import { searchRoutes } from './nouns/search.ts';
import { sessionRoutes } from './nouns/session.ts';
import { batchRoutes } from './nouns/batches.ts';
import { taskRoutes } from './nouns/tasks.ts';
import { tokenRoutes } from './nouns/tokens.ts';
import { webhookRoutes } from './nouns/webhooks.ts';
import { usageRoutes } from './nouns/usage.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { JsonSyntaxError, scanJsonObject } from '../shared/json-fields.ts';
import { authenticator, OPERATOR_DECORATOR } from './sign-in/authenticate.ts';

/** Smaller bodies hold too little to take long. */
const LARGE_BODY = 64 * 1024;
const MOST_VALUES = 50_000;
const TOO_MANY = `The body must be a JSON object of at most ${MOST_VALUES} values.`;

export type { ChannelTestOutcome, OperatorDependencies } from './dependencies.ts';

const nouns = [
  accountRoutes,
  memberRoutes,
  codeRoutes,
  groupRoutes,
  tokenRoutes,
  channelRoutes,
  channelKeyRoutes,
  channelBoardRoutes,
  providerRoutes,
  modelRoutes,
  priceRoutes,
  flagRoutes,
  taskRoutes,
  batchRoutes,
  webhookRoutes,
  alertRoutes,
  alertSinkRoutes,
  attentionRoutes,
  requestRoutes,
  ledgerRoutes,
  exportRoutes,
  usageRoutes,
  auditRoutes,
  searchRoutes,
  processRoutes,
  operatorRoutes,
  operatorKeyRoutes,
  sessionRoutes,
  configFileRoutes,
];

/** Body of a plugin; errors are thrown as GatewayError for the server's own error handler. */
export async function registerOperatorRoutes(app: FastifyInstance, dependencies: OperatorDependencies): Promise<void> {
  app.setValidatorCompiler(checkInput);
  app.setSerializerCompiler(serializerCompiler);
  // Many clients name a content type on every call, also where there is no body.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    rememberBody(request, body);
    if (body === '') done(null, undefined);
    else if (body.length > LARGE_BODY && hasTooMany(body))
      done(new GatewayError('invalid_request', { message: TOO_MANY }));
    else void parseJson(request, body, done);
  });
  if (!app.hasRequestDecorator('cookies')) await app.register(cookie);
  app.decorateRequest(OPERATOR_DECORATOR, null);
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.addHook('onRequest', authenticator(dependencies));
  answerOnce(app, dependencies.claims);
  sendEtags(app);
  offerListFiles(app);
  const typed = app.withTypeProvider<ZodTypeProvider>();
  for (const register of nouns) register(typed, dependencies);
}

/** Or is no object, which nothing here takes: it would be built for nothing. */
function hasTooMany(body: string): boolean {
  try {
    scanJsonObject(Buffer.from(body), { maxValues: MOST_VALUES });
    return false;
  } catch (error) {
    return error instanceof JsonSyntaxError;
  }
}
