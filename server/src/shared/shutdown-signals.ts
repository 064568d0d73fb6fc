// Signals, and the end of npm, from the first moment of a program on: until there is something to stop in order, they end it.
import { stopWithParent } from './stop-with-parent.ts';

/** As shells say it of a program that SIGTERM ended. */
const STOPPED_AT_START = 143;

export class ShutdownSignals {
  /** What a stop does from now on. */
  onStop: () => void = () => process.exit(STOPPED_AT_START);

  constructor({ withParent }: { withParent: boolean }) {
    const stop = (): void => this.onStop();
    onSignals(stop);
    if (withParent) stopWithParent(stop);
  }
}

export function onSignals(stop: () => void): void {
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
