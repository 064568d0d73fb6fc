// The kinds of sinks, and what each asks for.
import type { SinkKind } from '#contract/alerts.ts';

export const kindNames: Readonly<Record<SinkKind, string>> = {
  webhook: 'Webhook',
  mail: 'Mail',
  slack: 'Slack',
  feishu: 'Feishu',
  dingtalk: 'DingTalk',
};

export const kindHints: Readonly<Record<Exclude<SinkKind, 'mail'>, string>> = {
  webhook: 'Events are signed as Standard Webhooks has it; the secret is made and shown once',
  slack: 'Address of an incoming webhook',
  feishu: 'Address of a custom bot',
  dingtalk: 'Address of a custom robot; its keyword may be Tollgate',
};

/** Chats whose bots may sign. */
export const signingKinds: readonly SinkKind[] = ['feishu', 'dingtalk'];
