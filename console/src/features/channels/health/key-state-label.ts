// Words for a key: what it is called, and what an upstream thinks of it.
import type { ChannelFitness } from '#contract/channel-health.ts';
import { t } from '../../../i18n/t.ts';

export function keyStateLabel(state: ChannelFitness['keys'][number]['state'] | undefined): {
  color: string;
  text: string;
} {
  switch (state) {
    case 'rejected':
      return { color: 'red', text: t('rejected') };
    case 'suspected':
      return { color: 'yellow', text: t('suspected') };
    case 'cooling':
      return { color: 'yellow', text: t('cooling') };
    case 'ready':
      return { color: 'green', text: t('ready') };
    default:
      return { color: 'gray', text: t('not known') };
  }
}

/** Its hint; a key too short for one is known by its place. */
export function keyName(hint: string, index: number): string {
  return hint === '...' ? t('key {number}', { number: index + 1 }) : hint;
}
