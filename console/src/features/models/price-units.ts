// What can be priced, field by field, and what a worked example needs to count.
import type { Price } from '#contract/prices.ts';
import { t } from '../../i18n/t.ts';

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

const amount: PriceField = { name: 'amount', label: t('Price') };

export const units: UnitFacts[] = [
  {
    unit: 'tokens',
    label: t('Tokens //counted'),
    about: t(
      'Per million tokens, as the upstream reports them. Parts without a price of their own cost what input or output costs.',
    ),
    fields: [
      { name: 'input', label: t('Input') },
      { name: 'output', label: t('Output') },
      { name: 'cached_input', label: t('Cached input'), optional: true },
      { name: 'cache_write', label: t('Cache write'), optional: true },
      { name: 'audio_input', label: t('Audio input'), optional: true },
      { name: 'audio_output', label: t('Audio output'), optional: true },
      { name: 'image_input', label: t('Image input'), optional: true },
      { name: 'image_output', label: t('Image output'), optional: true },
      { name: 'batch', label: t('Factor in batches'), optional: true, isFactor: true },
    ],
    above: true,
    tables: [
      {
        name: 'tiers',
        label: t('Service tiers'),
        description: t('A factor for each tier; a tier without one is left out of requests'),
        key: 'priority',
        value: t('Factor'),
        optional: true,
      },
      {
        name: 'tools',
        label: t('Server-side tools'),
        description: t('A price for each use that the upstream reports'),
        key: 'web_search',
        value: t('Price'),
        optional: true,
      },
    ],
    counts: [
      ['input', t('Input tokens'), 1200],
      ['output', t('Output tokens'), 350],
    ],
  },
  {
    unit: 'request',
    label: t('Request'),
    about: t('Per successful call.'),
    fields: [amount],
    counts: [['requests', t('Calls'), 1]],
  },
  {
    unit: 'image',
    label: t('Image'),
    about: t('Per image returned.'),
    fields: [amount],
    tables: [
      {
        name: 'by',
        label: t('By size'),
        description: t('Size, or size/quality; others cost the price above'),
        key: '1024x1024/hd',
        value: t('Price'),
        optional: true,
      },
    ],
    counts: [['images', t('Images'), 2]],
  },
  {
    unit: 'second',
    label: t('Video second'),
    about: t('Per second of video, times the coefficient of its resolution.'),
    fields: [amount],
    tables: [
      {
        name: 'resolution',
        label: t('Coefficients'),
        description: t('A factor for each resolution'),
        key: '1080P',
        value: t('Factor'),
        optional: true,
      },
      {
        name: 'factors',
        label: t('Factors'),
        description: t('For what was really sent, as name:value; all that match multiply'),
        key: 'mode:pro',
        value: t('Factor'),
        optional: true,
      },
    ],
    counts: [['seconds', t('Seconds'), 5]],
  },
  {
    unit: 'video_tokens',
    label: t('Video tokens'),
    about: t('Per million tokens of the finished task.'),
    fields: [
      { name: 'generate', label: t('Generated') },
      { name: 'video_input', label: t('With video input') },
    ],
    counts: [['generate', t('Tokens //counted'), 100_000]],
  },
  {
    unit: 'reported',
    label: t('Reported units'),
    about: t('Per unit that the vendor of a video reports: credits, units, seconds, dollars.'),
    fields: [
      { name: 'amount', label: t('Price') },
      { name: 'hold', label: t('Held before, and charged without a report') },
    ],
    counts: [['units', t('Units'), 10]],
  },
  {
    unit: 'characters',
    label: t('Characters'),
    about: t('Per million characters of text to speak.'),
    fields: [amount],
    counts: [['characters', t('Characters'), 1000]],
  },
  {
    unit: 'audio_second',
    label: t('Audio second'),
    about: t('Per second of audio to transcribe or translate.'),
    fields: [amount],
    counts: [['seconds', t('Seconds'), 60]],
  },
  {
    unit: 'search',
    label: t('Search'),
    about: t('Per rerank call.'),
    fields: [amount],
    counts: [['searches', t('Calls'), 1]],
  },
];

/** The fields that long calls may have other values of. */
export function ratesOf({ fields }: UnitFacts): PriceField[] {
  return fields.filter(({ isFactor }) => isFactor !== true);
}

export function factsOf(unit: Unit): UnitFacts {
  return units.find((one) => one.unit === unit) ?? (units[0] as UnitFacts);
}
