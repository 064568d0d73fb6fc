// What was counted for one request, in words.
import { t } from '../i18n/t.ts';
import { Facts } from './facts.tsx';

const NAMES: Readonly<Record<string, string>> = {
  input_tokens: t('input tokens //usage'),
  output_tokens: t('output tokens //usage'),
  cached_input_tokens: t('cached input tokens //usage'),
  cache_write_tokens: t('cache write tokens //usage'),
  audio_input_tokens: t('audio input tokens //usage'),
  audio_output_tokens: t('audio output tokens //usage'),
  image_input_tokens: t('image input tokens //usage'),
  image_output_tokens: t('image output tokens //usage'),
  reasoning_tokens: t('reasoning tokens //usage'),
  images: t('images //usage'),
  characters: t('characters //usage'),
  seconds: t('seconds //usage'),
  searches: t('searches //usage'),
  units: t('units //usage'),
  resolution: t('resolution //usage'),
  tier: t('tier //usage'),
  service_tier: t('service tier //usage'),
};

export function UsageFacts({ usage }: { usage: Readonly<Record<string, unknown>> }) {
  return (
    <Facts
      facts={Object.entries(usage)
        .flatMap(named)
        .map(([name, value]) => [
          name,
          <span key={name} className="numeric">
            {typeof value === 'number' ? value.toLocaleString('en') : String(value)}
          </span>,
        ])}
    />
  );
}

/** Uses of server-side tools are counted for each tool. */
function named([name, value]: [string, unknown]): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[NAMES[name] ?? name.replaceAll('_', ' '), value]];
  return Object.entries(value).map(([tool, uses]) => [t('uses of {tool}', { tool }), uses]);
}
