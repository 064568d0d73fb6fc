// The address that a submit may name for word of its task's end. Checked here as far as it can be without calling it.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { AddressRefused, type GuardedClient } from '../../providers/guarded/guarded-client.ts';
import { findWebhook } from '../../store/queries/webhooks.ts';
import type { TaskDependencies } from '../dependencies.ts';

const LONGEST = 2_000;

export async function checkWebhookUrl(
  { store, guarded }: Pick<TaskDependencies, 'store' | 'guarded'>,
  accountId: string,
  value: unknown,
): Promise<string | undefined> {
  if (value === undefined || value === null) return undefined;
  const { href } = readAddress(guarded, value);
  if ((await findWebhook(store.reads, accountId)) === undefined)
    throw invalidRequest(
      "'webhook_url' needs a webhook secret to sign with: ask the operator to set up the account's webhook.",
      'webhook_url',
    );
  return href;
}

function readAddress(guarded: GuardedClient, value: unknown): URL {
  if (typeof value !== 'string') throw invalidRequest("'webhook_url' must be a string.", 'webhook_url');
  try {
    const url = guarded.check(value);
    if (url.href.length <= LONGEST) return url;
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    throw invalidRequest(`'webhook_url' cannot be called: ${error.message}.`, 'webhook_url');
  }
  throw invalidRequest(`'webhook_url' must not be longer than ${LONGEST} characters.`, 'webhook_url');
}
