// What can be priced, field by field, and what a worked example needs to count.
import type { Price } from '#contract/prices.ts';

export type Unit = Price['unit'];

export interface PriceField {
  name: string;
  label: string;
  optional?: boolean;
  /** Multiplies the whole; it is no rate of its own. */
  isFactor?: boolean;
}

export interface PriceTable {
  name: string;
  label: string;
  description: string;
  /** Examples of a name and of its value. */
  key: string;
  value: string;
  optional?: boolean;
}

export interface UnitFacts {
  unit: Unit;
  label: string;
  about: string;
  fields: PriceField[];
  /** Extra tables of names and amounts. */
  tables?: PriceTable[];
  /** Long calls may have rates of their own. */
  above?: true;
  /** Counts of the worked example: name, label, how many at first. */
  counts: [name: string, label: string, count: number][];
}

const amount: PriceField = { name: 'amount', label: 'Price' };

export const units: UnitFacts[] = [
  {
    unit: 'tokens',
    label: 'Tokens',
    about:
      'Per million tokens, as the upstream reports them. Parts without a price of their own cost what input or output costs.',
    fields: [
      { name: 'input', label: 'Input' },
      { name: 'output', label: 'Output' },
      { name: 'cached_input', label: 'Cached input', optional: true },
      { name: 'cache_write', label: 'Cache write', optional: true },
      { name: 'audio_input', label: 'Audio input', optional: true },
      { name: 'audio_output', label: 'Audio output', optional: true },
      { name: 'image_input', label: 'Image input', optional: true },
      { name: 'image_output', label: 'Image output', optional: true },
      { name: 'batch', label: 'Factor in batches', optional: true, isFactor: true },
    ],
    above: true,
    tables: [
      {
        name: 'tiers',
        label: 'Service tiers',
        description: 'A factor for each tier; a tier without one is left out of requests',
        key: 'priority',
        value: 'Factor',
        optional: true,
      },
      {
        name: 'tools',
        label: 'Server-side tools',
        description: 'A price for each use that the upstream reports',
        key: 'web_search',
        value: 'Price',
        optional: true,
      },
    ],
    counts: [
      ['input', 'Input tokens', 1200],
      ['output', 'Output tokens', 350],
    ],
  },
  {
    unit: 'request',
    label: 'Request',
    about: 'Per successful call.',
    fields: [amount],
    counts: [['requests', 'Calls', 1]],
  },
  {
    unit: 'image',
    label: 'Image',
    about: 'Per image returned.',
    fields: [amount],
    tables: [
      {
        name: 'by',
        label: 'By size',
        description: 'Size, or size/quality; others cost the price above',
        key: '1024x1024/hd',
        value: 'Price',
        optional: true,
      },
    ],
    counts: [['images', 'Images', 2]],
  },
  {
    unit: 'second',
    label: 'Video second',
    about: 'Per second of video, times the coefficient of its resolution.',
    fields: [amount],
    tables: [
      {
        name: 'resolution',
        label: 'Coefficients',
        description: 'A factor for each resolution',
        key: '1080P',
        value: 'Factor',
        optional: true,
      },
      {
        name: 'factors',
        label: 'Factors',
        description: 'For what was really sent, as name:value; all that match multiply',
        key: 'mode:pro',
        value: 'Factor',
        optional: true,
      },
    ],
    counts: [['seconds', 'Seconds', 5]],
  },
  {
    unit: 'video_tokens',
    label: 'Video tokens',
    about: 'Per million tokens of the finished task.',
    fields: [
      { name: 'generate', label: 'Generated' },
      { name: 'video_input', label: 'With video input' },
    ],
    counts: [['generate', 'Tokens', 100_000]],
  },
  {
    unit: 'reported',
    label: 'Reported units',
    about: 'Per unit that the vendor of a video reports: credits, units, seconds, dollars.',
    fields: [
      { name: 'amount', label: 'Price' },
      { name: 'hold', label: 'Held before, and charged without a report' },
    ],
    counts: [['units', 'Units', 10]],
  },
  {
    unit: 'characters',
    label: 'Characters',
    about: 'Per million characters of text to speak.',
    fields: [amount],
    counts: [['characters', 'Characters', 1000]],
  },
  {
    unit: 'audio_second',
    label: 'Audio second',
    about: 'Per second of audio to transcribe or translate.',
    fields: [amount],
    counts: [['seconds', 'Seconds', 60]],
  },
  { unit: 'search', label: 'Search', about: 'Per rerank call.', fields: [amount], counts: [['searches', 'Calls', 1]] },
];

/** The fields that long calls may have other values of. */
export function ratesOf({ fields }: UnitFacts): PriceField[] {
  return fields.filter(({ isFactor }) => isFactor !== true);
}

export function factsOf(unit: Unit): UnitFacts {
  return units.find((one) => one.unit === unit) ?? (units[0] as UnitFacts);
}
