// A channel is down when the last thing known of it is a failure: nobody has had an answer for a while, and it could not be
// reached, failed several times, or failed its test. Also when no key is left. All of it is read from the store, where every
// process writes what it sees.
import { type ChannelFacts, channelFacts } from '../../store/queries/alert-facts.ts';
import { type Finding, type Rule, type RuleContext, threshold } from '../finding.ts';

/** A failure of long ago opens nothing: the channel may have been repaired since, and nobody has called it. */
const FRESH_SECONDS = 600;

export const channelDown: Rule = {
  everySeconds: 5,
  async find(context) {
    const channels = await channelFacts(context.reads, context);
    return channels.flatMap((channel): Finding[] => {
      const why = whyDown(channel, context);
      if (why === undefined) return [];
      const title = `Channel ${channel.name} is down`;
      return [{ kind: 'channel', subject: channel.id, title, detail: why }];
    });
  },
};

function whyDown(channel: ChannelFacts, context: RuleContext): string | undefined {
  const { keys, memory } = channel;
  if (keys.length > 0 && keys.every(({ out }) => out !== undefined))
    return `No key works. ${keys[0]?.out?.reason ?? ''}`.trim();
  if (memory === undefined) return undefined;
  const isTestGood = memory.test_ok === 1;
  const good = Math.max(memory.success_at ?? 0, isTestGood ? (memory.test_at ?? 0) : 0);
  const testFailedAt = isTestGood ? 0 : (memory.test_at ?? 0);
  const bad = Math.max(memory.error_at ?? 0, testFailedAt);
  const { now, open } = context;
  const isOpen = open.has(channel.id);
  if (bad === 0 || good > bad) return undefined;
  if (isOpen) return describe(memory, testFailedAt);
  if (now - good < threshold(context, 'seconds') || now - bad > FRESH_SECONDS) return undefined;
  const isCertain =
    memory.error_class === 'unreachable' ||
    testFailedAt > (memory.error_at ?? 0) ||
    channel.failures >= threshold(context, 'failures');
  return isCertain ? describe(memory, testFailedAt) : undefined;
}

function describe(memory: NonNullable<ChannelFacts['memory']>, testFailedAt: number): string {
  const isOfTest = testFailedAt > (memory.error_at ?? 0);
  const message = isOfTest ? memory.test_message : memory.error_message;
  return message === null || message === '' ? 'Its last call failed.' : message;
}
