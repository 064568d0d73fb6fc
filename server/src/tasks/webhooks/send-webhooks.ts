// Delivers word of finished tasks: signed, through the guarded client, to the receivers of each account.
import { DeliverySender } from '../../deliveries/delivery-sender.ts';
import { postWebhook } from '../../deliveries/post-guarded.ts';
import { claimDeliveries, firstAttemptAt } from '../../store/queries/deliveries.ts';
import { type DeliveryRow, dueAccounts, findWebhook, updateDelivery } from '../../store/queries/webhooks.ts';
import type { TaskDependencies } from '../dependencies.ts';

export class WebhookSender extends DeliverySender<DeliveryRow> {
  constructor({ store, clock, secretBox, guarded, metrics, onError }: TaskDependencies) {
    super({
      clock,
      onError,
      name: 'webhooks',
      onSent: (outcome) => metrics.webhookSent(outcome),
      queue: {
        firstAttemptAt: () => firstAttemptAt(store.reads, 'webhook_deliveries'),
        dueOwners: (asked) => dueAccounts(store.reads, asked),
        claim: (asked) => claimDeliveries(store, 'webhook_deliveries', asked),
        ownerOf: ({ account_id }) => account_id,
        async attempt({ id, account_id, url, payload }, { at, signal }) {
          const webhook = await findWebhook(store.reads, account_id);
          if (webhook === undefined) return { status: null, error: 'the account has no webhook secret any more' };
          return postWebhook(guarded, { id, at, url, payload, signal, secret: secretBox.open(webhook.secret) });
        },
        update: (id, changes) => updateDelivery(store, id, changes),
      },
    });
  }
}
