// Structured logs on standard output. Lines are buffered a little, so that no request waits for the terminal.
import { type DestinationStream, destination, type Logger as PinoLogger, pino } from 'pino';
import { within } from '../shared/wait.ts';
import { redact } from './redact.ts';

export type Logger = PinoLogger;

/** Lines that wait for a slow or full disk may take up to `maxLength`. */
const OWN = {
  fd: 1,
  sync: false,
  minLength: 16_384,
  maxWrite: 65_536,
  maxLength: 16 * 1024 * 1024,
  periodicFlush: 500,
} as const;
/** So many lines are handed on together: each handing on costs more than a line. */
const TOGETHER = 4_096;
const TOGETHER_MS = 100;
/** No process waits longer than this for its last words. */
const FLUSH_MS = 1_000;

/** A full disk ends no gateway: the lines are kept and, when they are too many, lost. */
function openOwn(): ReturnType<typeof destination> {
  const own = destination(OWN);
  let isBroken = false;
  own.on('error', () => (isBroken = true));
  own.on('drain', () => (isBroken = false));
  // Otherwise its own last flush, at the exit, would try for ever.
  process.prependListener('exit', () => {
    if (isBroken) own.destroy();
  });
  return own;
}

/** Hands lines on together. */
function gather(own: ReturnType<typeof destination>): { write(line: string): void; handOn(): void } {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const handOn = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') own.write(lines);
    lines = '';
  };
  process.prependListener('exit', handOn); // before the last flush
  return {
    write(line) {
      lines += line;
      if (lines.length >= TOGETHER) handOn();
      else timer ??= setTimeout(handOn, TOGETHER_MS).unref();
    },
    handOn,
  };
}

export interface MadeLogger {
  logger: Logger;
  flush(): Promise<void>;
}

export function makeLogger(level: string, stream?: DestinationStream): MadeLogger {
  const own = stream === undefined ? openOwn() : undefined;
  const gathered = own === undefined ? undefined : gather(own);
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
    stream ?? gathered,
  );
  // Not flushSync, which tries for ever when the disk is full.
  const flush = async (): Promise<void> => {
    gathered?.handOn();
    if (own !== undefined) await within(FLUSH_MS, new Promise<void>((resolve) => own.flush(() => resolve())));
  };
  return { logger, flush };
}
