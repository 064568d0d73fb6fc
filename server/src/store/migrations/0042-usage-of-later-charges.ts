// Lines of the request log that are charged later, such as those of videos: the sums follow. Those that were charged before
// this came are counted again with all others.
import { usageSumColumns } from './0020-usage-sums.ts';
import { addToSums, type Migration } from './migration.ts';

export const usageOfLaterCharges: Migration = {
  name: '0042-usage-of-later-charges',
  statements: (words) => {
    const kept = usageSumColumns(words);
    return ['delete from usage_sums', addToSums(kept, kept.from), ...words.followSums(kept)];
  },
};
