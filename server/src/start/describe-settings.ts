// The settings in force as operators may read them.
import { type Config, SETTINGS, written } from './config.ts';
import { OIDC_SETTINGS } from './settings/oidc-config.ts';

export interface DescribedSetting {
  name: string;
  /** Of a secret only "set" or "not set". */
  value: string;
  isSecret: boolean;
}

export function describeSettings(config: Config): DescribedSetting[] {
  const { oidc: _, ...single } = SETTINGS;
  const described = Object.entries(single).map(([key, { name, write }]) => {
    const value = config[key as keyof Config];
    return describe(name, value, write === 'secret' ? undefined : (write as (one: unknown) => string)(value));
  });
  const oidc = OIDC_SETTINGS.map(({ name, read, isSecret }) => {
    const value = config.oidc && read(config.oidc);
    return describe(name, value, isSecret ? undefined : written(value));
  });
  return [...described, ...oidc];
}

function describe(name: string, value: unknown, shown: string | undefined): DescribedSetting {
  return { name, value: shown ?? (value === undefined ? 'not set' : 'set'), isSecret: shown === undefined };
}
