// GET /v1/realtime without a WebSocket: sessions are served to those who ask for one (http/realtime).
import { GatewayError } from '../../errors/gateway-error.ts';

export function realtime(): never {
  throw new GatewayError('upgrade_required', { headers: { upgrade: 'websocket', connection: 'Upgrade' } });
}
