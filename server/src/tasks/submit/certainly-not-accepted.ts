// Did a submit that failed surely leave nothing behind? Only then may it be sent again, to somebody else (promise V-05).
import { cannotConnect, type UpstreamError } from '../../providers/upstream-error.ts';

/** Out of ports of our own: nothing was sent either. */
const NO_PORT = 'EADDRNOTAVAIL';

export function certainlyNotAccepted(error: UpstreamError): boolean {
  const { errorClass, facts } = error;
  if (facts.notSent === true) return true;
  switch (errorClass) {
    case 'refused':
    case 'unauthorised':
    case 'limited':
      return true;
    case 'overloaded':
      // Its own words: a page of some proxy in between says nothing about what happened behind it.
      return facts.upstreamMessage !== undefined || facts.upstreamCode !== undefined;
    case 'unreachable':
    case 'timed-out':
      return cannotConnect(error) || (facts.cause as NodeJS.ErrnoException | undefined)?.code === NO_PORT;
    case 'malformed':
    case 'aborted':
      return false;
  }
}
