// The answers to an id that nobody has, and to a name that somebody has.
import { GatewayError } from '../errors/gateway-error.ts';

export function notFound(noun: string, id: string): GatewayError {
  return new GatewayError('not_found', { message: `There is no ${noun} "${id}".` });
}

/** What was found by the id. */
export function required<Row>(row: Row | undefined, noun: string, id: string): Row {
  if (row === undefined) throw notFound(noun, id);
  return row;
}

/** `row`: what was found by the name. */
export function refuseTaken(row: object | undefined, message: string): void {
  if (row !== undefined) throw new GatewayError('conflict', { message, param: 'name' });
}
