// A key that an upstream rejects is out for everybody until it is accepted again.
import { channelFacts } from '../../store/queries/alert-facts.ts';
import type { Finding, Rule } from '../finding.ts';

export const keyRejected: Rule = {
  everySeconds: 5,
  async find(context) {
    const channels = await channelFacts(context.reads, context);
    return channels.flatMap(({ id, name, keys }) =>
      keys.flatMap((key): Finding[] => {
        if (key.out === undefined) return [];
        const title = key.id === '' ? `${name} is not called without a key` : `${name} rejects the key ${key.hint}`;
        return [{ kind: 'channel', subject: `${id}/${key.id}`, title, detail: key.out.reason }];
      }),
    );
  },
};
