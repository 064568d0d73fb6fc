// The vendors that can be picked: every preset of every kind of upstream, and each kind for an address of one's own.
import type { Provider } from '#contract/providers.ts';
import { known, t } from '../../../i18n/t.ts';

export interface Vendor {
  id: string;
  name: string;
  /** What kind of upstream it is, in words. */
  kind: string;
  provider: Provider;
  preset: Provider['presets'][number] | undefined;
}

export function vendorsOf(providers: readonly Provider[]): Vendor[] {
  const presets = providers.flatMap((provider) =>
    provider.presets.map((preset): Vendor => {
      const kind = known(provider.label);
      return { id: `${provider.name}/${preset.vendor}`, name: preset.vendor, kind, provider, preset };
    }),
  );
  const others = providers.map((provider): Vendor => {
    const kind = known(provider.label);
    return { id: provider.name, name: t('Another address'), kind, provider, preset: undefined };
  });
  return [...presets, ...others];
}

/** Every word of what was typed stands in its name, its kind or its address; those that begin with it come first. */
export function findVendors(vendors: readonly Vendor[], typed: string): Vendor[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = vendors.filter(({ name, kind, provider, preset }) => {
    const text = `${name} ${kind} ${provider.name} ${preset?.base_url ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const [first = ''] = words;
  const rank = ({ name }: Vendor): number => (name.toLowerCase().startsWith(first) ? 0 : 1);
  return first === '' ? found : found.toSorted((a, b) => rank(a) - rank(b));
}

/** Words in capitals in an address that are to be replaced. */
export function blanksIn(address: string): string[] {
  const words = [...address.matchAll(/\b[A-Z][A-Z_]{4,}\b/g)].map(([word]) => word);
  return [...new Set([...words, ...(address.includes('my-resource') ? ['my-resource'] : [])])];
}

/** A name for the channel that no other has. */
export function freeName(vendor: string, taken: readonly string[]): string {
  const base =
    vendor
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}.]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'channel';
  if (!taken.includes(base)) return base;
  for (let number = 2; ; number++) if (!taken.includes(`${base}-${number}`)) return `${base}-${number}`;
}
