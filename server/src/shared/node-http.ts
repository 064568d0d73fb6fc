// What is used of node:http as values. Here because whoever imports that module the usual way gets all of its names at
// once, and behind three of them is a second HTTP client with fetch and WebSocket: 2 MB in every process, and more
// while it starts.
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
