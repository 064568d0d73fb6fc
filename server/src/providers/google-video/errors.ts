// What Google's APIs say when they refuse: a status word, and reasons in the details. Shared by the kinds that make videos.
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { type Answer, objectIn, objectsIn, parseAnswer, textIn } from '../upstream-values.ts';

/** Its words for an account without money, with 429, 403 or 400. */
const NO_MONEY =
  /\b(?:prepayment credits are depleted|billing (?:to be enabled|is not enabled|account .{0,60}(?:closed|disabled)))/i;

export function readComplaint(body: Buffer): UpstreamComplaint {
  const error = objectIn(parseAnswer(body) ?? {}, 'error');
  return {
    message: textIn(error, 'message'),
    code: reasonIn(error) ?? textIn(error, 'status'),
    param: undefined,
  };
}

export function readRefusal(body: Buffer, status: number): number | undefined {
  if (status < 400) return undefined;
  const { message = '', code } = readComplaint(body);
  if (NO_MONEY.test(message)) return 402;
  return code === 'API_KEY_INVALID' ? 401 : undefined;
}

function reasonIn(error: Answer): string | undefined {
  return objectsIn(error, 'details')
    .map((detail) => textIn(detail, 'reason'))
    .find((reason) => reason !== undefined);
}
