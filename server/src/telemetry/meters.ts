// Makes the counters and gauges of a registry.
import { Counter, type CounterConfiguration, Gauge, type GaugeConfiguration, type Registry } from 'prom-client';

type CounterOptions<Label extends string> = Pick<CounterConfiguration<Label>, 'collect'> & {
  labels?: readonly Label[];
};
type GaugeOptions<Label extends string> = Pick<GaugeConfiguration<Label>, 'collect' | 'aggregator'> & {
  labels?: readonly Label[];
};

export class Meters {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  counter<Label extends string = never>(
    name: string,
    help: string,
    { labels: labelNames = [], ...options }: CounterOptions<Label> = {},
  ): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: this.#registers, ...options });
  }

  gauge<Label extends string = never>(
    name: string,
    help: string,
    { labels: labelNames = [], ...options }: GaugeOptions<Label> = {},
  ): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: this.#registers, ...options });
  }
}
