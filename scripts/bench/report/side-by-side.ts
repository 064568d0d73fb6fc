// One line for each relay: what it does for a request, and beside it the few figures that people compare. Processor time
// without what it buys says little.
import type { RunningRelay } from '../relays/relay.ts';
import { judgedRelay, yardstick } from '../relays/list.ts';
import type { Figures } from './figures.ts';
import { showFigure } from './table.ts';

export type Described = Pick<RunningRelay, 'name' | 'does' | 'version'>;

interface Column {
  head: string;
  digits: number;
  values: (figures: Figures, relay: string) => readonly number[];
}

const columns: readonly Column[] = [
  { head: 'small chat, CPU us', digits: 0, values: (figures, relay) => figures.of('whole-64.cpu', relay) },
  { head: `x ${yardstick}`, digits: 1, values: (figures, relay) => figures.ratio('whole-64.cpu', relay, yardstick) },
  {
    head: `x ${judgedRelay}`,
    digits: 2,
    values: (figures, relay) => figures.ratio('whole-64.cpu', relay, judgedRelay),
  },
  { head: 'added p50 us, 1 connection', digits: 0, values: addedToDirect },
  { head: '1 MB body, CPU us', digits: 0, values: (figures, relay) => figures.of('large.cpu', relay) },
  { head: 'SSE at 20 ms, CPU us/chunk', digits: 0, values: (figures, relay) => figures.of('stream.cpu', relay) },
  { head: 'idle MB', digits: 0, values: (figures, relay) => figures.of('memory.idle', relay) },
  { head: 'MB after load', digits: 0, values: (figures, relay) => figures.of('memory.loaded', relay) },
];

function addedToDirect(figures: Figures, relay: string): readonly number[] {
  return relay === 'direct' ? [] : figures.added('whole-1.p50', relay, 'direct');
}

export const sideBySideHead: readonly string[] = ['', 'does per request', ...columns.map(({ head }) => head)];

export function listSideBySide(figures: Figures, relays: readonly Described[]): string[][] {
  return relays.map(({ name, does, version }) => [
    version?.toLowerCase().startsWith(name.toLowerCase()) === true ? version : name,
    does,
    ...columns.map(({ digits, values }) => showFigure(values(figures, name), digits)),
  ]);
}
