// Gain: 3 MB in every process that nobody opens a WebSocket to. Removable alone: `import { WebSocket } from 'ws'` does the same,
// but loads the library at every start.
import type { WebSocket as Socket, WebSocketServer as Server } from 'ws';

export type WebSocket = Socket;
export type WebSocketServer = Server;

export const loadWebSockets = () => import('ws');
