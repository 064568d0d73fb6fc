// The answer to an id that nobody has.
import { GatewayError } from '../errors/gateway-error.ts';

export function notFound(noun: string, id: string): GatewayError {
  return new GatewayError('not_found', { message: `There is no ${noun} "${id}".` });
}
