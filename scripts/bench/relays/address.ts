// A gateway that somebody else started. Its processor time is known only where its process ids are given or it listens on
// this machine; its answers are compared only where its upstream is the canned one.
import { findListeners } from '../processes/find-listener.ts';
import type { Address } from '../read-addresses.ts';
import { chatPath, type Target } from '../wire/chat-request.ts';
import type { Relay } from './relay.ts';
import { waitForFirstAnswer } from './wait-for-first-answer.ts';

export function address({ name, host, port, prefix, key, model, pids: given, ...rest }: Address): Relay {
  const does = rest.does ?? 'nobody said (--does)';
  return {
    name,
    start: async ({ notes, upstreamPort }) => {
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const target: Target = { host, port, protocol: 'chat', path: `${prefix}${chatPath}`, headers, model };
      const trouble = await waitForFirstAnswer(target, 2000).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      const pids = given.length > 0 ? given : findListeners(host, port);
      if (pids.length === 0)
        notes.push(`${name}: its processes are not known (--pid), so what they cost is not shown.`);
      const relay = { name, role: 'guest', translated: undefined, pids, does, version: undefined } as const;
      if (trouble === undefined) return { ...relay, target };
      if (!trouble.includes('answered 200')) return { leftOut: `${name} is left out: ${trouble.slice(0, 300)}` };
      notes.push(
        `${name} answers from an upstream of its own, so its figures are not comparable; the canned one is at ` +
          `http://127.0.0.1:${upstreamPort}/v1 (--upstream-port keeps that port).`,
      );
      return { ...relay, target: { ...target, isForeign: true } };
    },
  };
}
