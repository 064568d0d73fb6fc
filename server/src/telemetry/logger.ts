// Structured logs on standard output. Lines are buffered a little, so that no request waits for the terminal.
import { type DestinationStream, destination, type Logger as PinoLogger, pino } from 'pino';
import { redact } from './redact.ts';

export type Logger = PinoLogger;

export function makeLogger(level: string, stream?: DestinationStream): { logger: Logger; flush: () => void } {
  const out = stream ?? destination({ fd: 1, sync: false, minLength: 32_768, periodicFlush: 500 });
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: redact },
    },
    out,
  );
  return { logger, flush: () => ('flushSync' in out ? (out as { flushSync(): void }).flushSync() : undefined) };
}
