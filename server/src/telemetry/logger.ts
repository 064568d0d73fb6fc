// Structured logs on standard output. Lines are buffered a little, so that no request waits for the terminal.
import { type DestinationStream, destination, type Logger as PinoLogger, pino } from 'pino';
import { redact } from './redact.ts';

export type Logger = PinoLogger;

export function makeLogger(level: string, stream?: DestinationStream): { logger: Logger; flush: () => void } {
  const out = stream ?? destination({ fd: 1, sync: false, minLength: 16_384, maxWrite: 65_536, periodicFlush: 500 });
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: redact, err: redact },
      hooks: {
        // An error logged by itself would bring its own words along.
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[];
          if (first instanceof Error) method.call(this, { error: first }, ...(rest as [string]));
          else method.apply(this, args);
        },
      },
    },
    out,
  );
  return { logger, flush: () => ('flushSync' in out ? (out as { flushSync(): void }).flushSync() : undefined) };
}
