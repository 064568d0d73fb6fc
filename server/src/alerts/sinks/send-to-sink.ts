// One attempt to send an event to a sink, in the shape that its kind wants.
import type { AttemptOutcome } from '../../deliveries/delivery-sender.ts';
import { postGuarded, postWebhook } from '../../deliveries/post-guarded.ts';
import type { GuardedClient } from '../../providers/guarded/guarded-client.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import type { AlertDeliveryRow, AlertSinkRow } from '../../store/queries/alert-sinks.ts';
import type { AlertEvent } from '../alert-event.ts';
import { dingtalkPost, feishuPost, slackPost } from './chats.ts';
import type { Mailer } from './mailer.ts';
import { messageOf } from './message.ts';

export interface SinkDependencies {
  guarded: Pick<GuardedClient, 'call'>;
  secretBox: Pick<SecretBox, 'open'>;
  mailer: Pick<Mailer, 'send'>;
  /** Address of the gateway for links; undefined = not known. */
  publicUrl: string | undefined;
}

const CHATS = { slack: slackPost, feishu: feishuPost, dingtalk: dingtalkPost };

export async function sendToSink(
  { guarded, secretBox, mailer, publicUrl }: SinkDependencies,
  sink: AlertSinkRow,
  { id, payload }: Pick<AlertDeliveryRow, 'id' | 'payload'>,
  { at, signal }: { at: number; signal?: AbortSignal },
): Promise<AttemptOutcome> {
  const secret = sink.secret === null ? undefined : secretBox.open(sink.secret);
  const url = sink.url === null ? '' : secretBox.open(sink.url);
  if (sink.kind === 'webhook') return postWebhook(guarded, { id, at, url, payload, signal, secret: secret ?? '' });
  const message = messageOf(JSON.parse(payload) as AlertEvent, { language: sink.language, consoleUrl: publicUrl });
  if (sink.kind === 'mail') return mailer.send({ ...message, id, to: JSON.parse(sink.recipients) as string[] });
  return postGuarded(guarded, { ...CHATS[sink.kind](message, { url, secret, at }), signal });
}
