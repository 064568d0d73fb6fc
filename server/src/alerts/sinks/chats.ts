// Messages in the shapes of chats: Slack's incoming webhooks, and the custom bots of Feishu and DingTalk. The last two answer
// 200 also when they refuse, and say so in the body.
import { createHmac } from 'node:crypto';
import type { Message } from './message.ts';

export interface ChatPost {
  url: string;
  payload: string;
  readProblem?(body: string): string | null;
}

interface Chat {
  url: string;
  secret: string | undefined;
  /** Unix seconds. */
  at: number;
}

/** docs.slack.dev, "Sending messages using incoming webhooks": & < > are control characters. */
export function slackPost(message: Message, { url }: Chat): ChatPost {
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const text = `*${escaped(message.subject)}*\n${message.lines.map(escaped).join('\n')}`;
  return { url, payload: JSON.stringify({ text }) };
}

/** open.feishu.cn, "Custom bot": the key of the signature is time and secret, its text is empty. */
export function feishuPost(message: Message, { url, secret, at }: Chat): ChatPost {
  const content = { text: [message.subject, ...message.lines].join('\n') };
  const signed =
    secret === undefined
      ? {}
      : { timestamp: String(at), sign: createHmac('sha256', `${at}\n${secret}`).update('').digest('base64') };
  const payload = JSON.stringify({ ...signed, msg_type: 'text', content });
  return { url, payload, readProblem: (body) => codeIn(body, ['code', 'StatusCode'], ['msg', 'StatusMessage']) };
}

/** open.dingtalk.com, "Custom robots": time in milliseconds and signature stand in the address. */
export function dingtalkPost(message: Message, { url, secret, at }: Chat): ChatPost {
  const target = new URL(url);
  if (secret !== undefined) {
    const timestamp = at * 1000;
    const sign = createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64');
    target.searchParams.set('timestamp', String(timestamp));
    target.searchParams.set('sign', sign);
  }
  const content = [message.subject, ...message.lines].join('\n');
  const payload = JSON.stringify({ msgtype: 'text', text: { content } });
  return { url: target.href, payload, readProblem: (body) => codeIn(body, ['errcode'], ['errmsg']) };
}

/** null where the code is 0. */
function codeIn(body: string, codes: string[], messages: string[]): string | null {
  let answer: Record<string, unknown>;
  try {
    answer = (JSON.parse(body) ?? {}) as Record<string, unknown>;
  } catch {
    return 'its answer is not JSON';
  }
  const code = codes.map((name) => answer[name]).find((value) => value !== undefined);
  if (code === 0) return null;
  const message = messages.map((name) => answer[name]).find((value) => typeof value === 'string');
  return `refused with code ${JSON.stringify(code)}${message === undefined ? '' : `: ${message.slice(0, 200)}`}`;
}
