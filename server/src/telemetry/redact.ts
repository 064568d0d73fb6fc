// What of an error may stand in a log: its kind, its words without anything that looks like a secret, its causes.
const SECRET_SHAPES = [
  /\b(sk|pk|rk|xai)-[A-Za-z0-9_-]{8,}/g,
  /\b(whsec|gsk|hf|ghp)_[A-Za-z0-9+/=_-]{16,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /(Bearer|Basic)\s+[^\s"',]+/gi,
  /([?&]key=)[^&\s"']+/gi,
  /(\/\/[^/\s:@]*:)[^@/\s]+@/g,
];

export interface LoggedError {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: LoggedError;
}

export function redactText(text: string): string {
  return SECRET_SHAPES.reduce((shown, shape) => shown.replace(shape, '[hidden]'), text);
}

export function redact(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { name: 'unknown', message: redactText(String(error)) };
  const { code } = error as NodeJS.ErrnoException;
  return {
    name: error.name,
    message: redactText(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: redactText(error.stack) }),
    ...(error.cause !== undefined && depth < 4 && { cause: redact(error.cause, depth + 1) }),
  };
}
