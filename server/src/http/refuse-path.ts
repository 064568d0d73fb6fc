// The error for a path that is not served, or not with this method.
import { GatewayError } from '../errors/gateway-error.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import { pathHint } from './path-hint.ts';

/** Of a path in a message. */
const MOST_ECHOED = 200;
/** What is done with a model stands behind a colon where one is posted to. */
const IS_CALL = /:[a-zA-Z]+$/;

export function refusePath(allowed: AllowedMethods, method: string, path: string): GatewayError {
  const methods = allowed.of(path);
  if (methods.length === 0) {
    const hint = pathHint(path, (one) => allowed.isLikely(one));
    return nothingAt(path, meant(hint));
  }
  const isCall = method === 'POST' && IS_CALL.test(path);
  const hint = isCall ? pathHint(path, (one) => allowed.of(one).includes(method)) : undefined;
  return methodNotAllowed(methods, meant(hint));
}

/** Clients that try a WebSocket first go on with POST when they see this status (contract-2 7). */
export function refuseUpgrade(path: string): GatewayError {
  const message = `${short(path)} is not served as a WebSocket. Send an ordinary HTTP request.`;
  return new GatewayError('upgrade_refused', { message, headers: { upgrade: 'HTTP/1.1' } });
}

export function nothingAt(path: string, instead = ''): GatewayError {
  return new GatewayError('not_found', { message: `There is nothing at ${short(path)}.${instead}` });
}

function methodNotAllowed(methods: readonly string[], instead = ''): GatewayError {
  const message = `Use ${methods.join(' or ')} here.${instead}`;
  return new GatewayError('method_not_allowed', { message, headers: { allow: methods.join(', ') } });
}

function meant(hint: string | undefined): string {
  return hint === undefined ? '' : ` Did you mean ${short(hint)}?`;
}

function short(path: string): string {
  return path.slice(0, MOST_ECHOED);
}
