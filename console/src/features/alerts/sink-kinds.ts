// The kinds of sinks, and what each asks for.
import type { SinkKind } from '#contract/alerts.ts';
import { t } from '../../i18n/t.ts';

export const kindNames: Readonly<Record<SinkKind, string>> = {
  webhook: t('Webhook'),
  mail: t('Mail'),
  slack: 'Slack',
  feishu: t('Feishu'),
  dingtalk: t('DingTalk'),
};

export const kindHints: Readonly<Record<Exclude<SinkKind, 'mail'>, string>> = {
  webhook: t('Events are signed as Standard Webhooks has it; the secret is made and shown once'),
  slack: t('Address of an incoming webhook'),
  feishu: t('Address of a custom bot'),
  dingtalk: t('Address of a custom robot; its keyword may be Tollgate'),
};

/** Chats whose bots may sign. */
export const signingKinds: readonly SinkKind[] = ['feishu', 'dingtalk'];
