// Alerts: the watch over their rules and the sender to their sinks. Made here, started when the server listens.
import { AlertSender, type AlertSenderDependencies, testSink } from '../alerts/alert-sender.ts';
import { AlertWatch } from '../alerts/alert-watch.ts';
import { Mailer } from '../alerts/sinks/mailer.ts';
import { probeChannel } from '../relay/probe-channel.ts';
import { unixSeconds } from '../shared/clock.ts';
import { plainText } from '../shared/plain-text.ts';
import { forgetAlerts } from '../store/queries/alerts.ts';
import type { AlertSinkRow } from '../store/queries/alert-sinks.ts';
import { noteTest } from '../store/queries/channel-memory.ts';
import { Retention } from '../store/retention.ts';
import type { Changes } from './follow-changes.ts';
import type { Clients } from './open-clients.ts';
import type { Data } from './open-data.ts';
import type { StartContext } from './start-context.ts';
import type { Routing } from './start-routing.ts';

export type Alerts = ReturnType<typeof makeAlerts>;

const LONGEST_MESSAGE = 300;
const DAY = 86_400;

export function makeAlerts(
  { config, clock, errors, logger, processId, started }: StartContext,
  { store, secretBox, client, guarded, router, catalogue, keyWatch }: Data & Clients & Changes & Routing,
) {
  const mailer = new Mailer(config.smtpUrl);
  const onError = (error: unknown, what: string): void => errors.tell(error, what);
  const publicUrl = config.baseAddress?.url;
  const sending: AlertSenderDependencies = { store, clock, guarded, secretBox, mailer, publicUrl, onError };
  const sender = new AlertSender(sending);
  const watch = new AlertWatch({
    store,
    clock,
    owner: processId,
    currency: config.currency,
    withSandbox: config.sandbox,
    async probe(channelId) {
      const onWorks = keyWatch.works.bind(keyWatch);
      const answered = await probeChannel({ client, router, catalogue: catalogue.current, onWorks }, channelId);
      if (answered === undefined) return;
      const { model, status, latency_ms, message } = answered;
      await noteTest(store, {
        channel_id: channelId,
        test_at: unixSeconds(clock),
        test_ok: 1,
        test_status: status,
        test_ms: Math.round(latency_ms),
        test_model: model,
        test_message: plainText(message, LONGEST_MESSAGE),
      });
    },
    onDelivery: () => sender.wake(),
    onError,
  });
  const retention = new Retention({
    step: () => forgetAlerts(store, unixSeconds(clock) - config.requestLogDays * DAY),
    onError: (error) => logger.error({ error }, 'alerts could not be forgotten; the next round tries again'),
  });
  started.add('retention of alerts', () => retention.stop());
  started.add('deliveries of alerts', () => sender.stop());
  started.add('the watch over alerts', () => watch.stop());
  return {
    alerts: {
      hasMail: mailer.isConfigured,
      wake: () => watch.wake(),
      test: (sink: AlertSinkRow) => testSink(sending, sink),
    },
    startAlerts(): void {
      retention.start();
      sender.start();
      watch.start();
    },
  };
}
