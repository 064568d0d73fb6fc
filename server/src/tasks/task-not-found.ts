// The one answer for a task that is not there, is somebody else's, or was removed: nobody can tell which (promise V-09).
import { GatewayError } from '../errors/gateway-error.ts';

export function taskNotFound(id: string): GatewayError {
  return new GatewayError('task_not_found', { message: `The task "${id.slice(0, 100)}" does not exist.` });
}
