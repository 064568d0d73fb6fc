// The address that a submit may name for word of its task's end. Checked here as far as it can be without calling it.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { findWebhook } from '../../store/queries/webhooks.ts';
import type { TaskParts } from '../parts.ts';

const LONGEST = 2_000;

export async function checkWebhookUrl(
  { store }: Pick<TaskParts, 'store'>,
  accountId: string,
  value: unknown,
): Promise<string | undefined> {
  if (value === undefined || value === null) return undefined;
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const isPlain =
    url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || url.href.length > LONGEST)
    throw invalidRequest("'webhook_url' must be an http or https address without a user.", 'webhook_url');
  if ((await findWebhook(store.reads, accountId)) === undefined)
    throw invalidRequest(
      "'webhook_url' needs a webhook secret to sign with: ask the operator to set up the account's webhook.",
      'webhook_url',
    );
  return url.href;
}
