// /accounts/{id}/webhook: where an account hears of its finished tasks, and the secret that such words are signed with.
import { webhook, webhookMade, webhookPut } from '#contract/tasks.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { deleteWebhook, findWebhook, putWebhook, type WebhookRow } from '../../store/queries/webhooks.ts';
import { makeWebhookSecret } from '../../deliveries/webhook-signature.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch, withEtag } from '../etag.ts';
import { makeChange } from '../make-change.ts';
import { done, failuresOfOne, idParams, route } from '../operation.ts';
import { getAccount } from '../records/accounts.ts';
import { checkUrl } from '../records/alert-sinks.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Accounts';
const PATH = '/accounts/:id/webhook';

export function webhookRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { store, secretBox } = dependencies;

  app.get(
    PATH,
    route(TAG, "Read an account's webhook", { params: idParams, response: { 200: webhook, ...failuresOfOne } }),
    async ({ params: { id } }) => {
      const row = await findWebhook(store.reads, id);
      if (row !== undefined) return write(row);
      await getAccount(store.reads, id);
      throw noWebhook(id);
    },
  );

  app.put(
    PATH,
    route(TAG, "Set an account's webhook; a secret that is made is shown once", {
      params: idParams,
      body: webhookPut,
      response: { 200: webhookMade, ...failuresOfOne },
    }),
    async (request) => {
      const { id } = request.params;
      return makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        await getAccount(transaction, id);
        const { rotate_secret: rotates } = request.body;
        const known = await findWebhook(transaction, id);
        requireMatch(request, known === undefined ? null : write(known));
        const url = request.body.url === undefined ? (known?.url ?? null) : request.body.url;
        if (url !== null && url !== known?.url) checkUrl(dependencies.guarded, url);
        // A new address must not silence receivers that check signatures.
        const secret = known === undefined || rotates ? makeWebhookSecret() : null;
        const sealed = secret === null ? (known?.secret ?? '') : secretBox.seal(secret);
        const row = { account_id: id, url, secret: sealed, created_at: known?.created_at ?? at };
        await putWebhook(transaction, row);
        const detail = { url, rotated: secret !== null };
        return { answer: { ...write(row), secret }, audit: { action: 'webhook.set', id, detail }, notice: null };
      });
    },
  );

  app.delete(
    PATH,
    route(TAG, "Remove an account's webhook and its secret", {
      params: idParams,
      response: { 204: done, ...failuresOfOne },
    }),
    async (request, reply) => {
      const { id } = request.params;
      await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const row = await findWebhook(transaction, id);
        if (row === undefined) throw noWebhook(id);
        requireMatch(request, write(row));
        await deleteWebhook(transaction, id);
        return { answer: undefined, audit: { action: 'webhook.remove', id, detail: { url: row.url } }, notice: null };
      });
      return reply.code(204).send();
    },
  );
}

function noWebhook(accountId: string): GatewayError {
  return new GatewayError('not_found', { message: `The account "${accountId}" has no webhook.` });
}

/** A new secret is a change too, though nobody is shown it. */
function write(row: WebhookRow) {
  const { account_id, url, created_at } = row;
  return { account_id, url, created_at, etag: withEtag(row).etag };
}
