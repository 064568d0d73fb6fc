// Did a submit that failed surely leave nothing behind? Only then may it be sent again, to somebody else (promise V-05).
import type { UpstreamError } from '../../providers/upstream-error.ts';

/** No connection was made, so nothing was said. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** A handshake that fails ends before the request is sent. */
const NO_HANDSHAKE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

export function surelyNotTaken({ errorClass, facts }: UpstreamError): boolean {
  switch (errorClass) {
    case 'refused':
    case 'unauthorised':
    case 'limited':
      return true;
    case 'overloaded':
      // Its own words: a page of some proxy in between says nothing about what happened behind it.
      return facts.upstreamMessage !== undefined || facts.upstreamCode !== undefined;
    case 'unreachable':
    case 'timed-out': {
      const code = (facts.cause as NodeJS.ErrnoException | undefined)?.code ?? '';
      return NOT_CONNECTED.has(code) || NO_HANDSHAKE.test(code);
    }
    case 'malformed':
    case 'aborted':
      return false;
  }
}
