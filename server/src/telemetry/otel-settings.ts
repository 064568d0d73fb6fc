// The variables of OpenTelemetry (OTEL_*), which switch spans on and say how many and where to.
import type * as Sdk from '@opentelemetry/sdk-trace';

export type OtelSettings = Readonly<Record<string, string>>;

/** The variables, where they ask for spans; undefined where they do not. */
export function readOtel(environment: Readonly<Record<string, string | undefined>>): OtelSettings | undefined {
  const settings = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith('OTEL_') && value !== undefined && value.trim() !== '' ? [[name, value.trim()]] : [],
    ),
  );
  if (settings['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined;
  const exporter = settings['OTEL_TRACES_EXPORTER'];
  if (exporter !== undefined && exporter !== 'otlp') return undefined;
  const isNamed = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some(
    (name) => name in settings,
  );
  return isNamed || exporter === 'otlp' ? settings : undefined;
}

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables; undefined: all, as the parent says. */
export function samplerOf(sdk: typeof Sdk, settings: OtelSettings): Sdk.Sampler | undefined {
  const name = settings['OTEL_TRACES_SAMPLER'] ?? '';
  const share = Number(settings['OTEL_TRACES_SAMPLER_ARG'] ?? 1);
  const root = rootSampler(sdk, name.replace(/^parentbased_/, ''), share);
  return root !== undefined && name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
}

function rootSampler(sdk: typeof Sdk, name: string, share: number): Sdk.Sampler | undefined {
  if (name === 'always_on') return new sdk.AlwaysOnSampler();
  if (name === 'always_off') return new sdk.AlwaysOffSampler();
  return name === 'traceidratio' ? new sdk.TraceIdRatioBasedSampler(share) : undefined;
}
