// What people must know of a kind of upstream to set up a channel of it. Every provider declares it beside its code; the
// operator API lists it, and the console and the docs read it from there (contract-2 9).

export interface ProviderFacts {
  /** The kind, as a person would call it. */
  label: string;
  /** What it is for, in one sentence without its full stop. */
  about: string;
  baseUrl: { example: string; hint: string };
  key: { hint: string };
  /** Units of price that its models can have. A provider of videos declares those of its videos there. */
  units: readonly string[];
  /** Its name in the list of prices, where its upstream has no list of models: those of the list are offered instead. */
  listedAs?: string;
  /** Channel options of its own, beside those that every kind has. */
  options?: readonly string[];
  presets: readonly Preset[];
}

/** One vendor of the kind. */
export interface Preset {
  vendor: string;
  baseUrl: string;
  /** What `options.speaks` of its channel should be; absent = all that the kind has. */
  speaks?: readonly string[];
  /** Request fields that it refuses: what `options.drop_fields` of its channel should be. */
  dropFields?: readonly string[];
  note?: string;
}
