// The cheap upstream, a process of its own: answers every request with canned bytes over bare sockets.
// It spends as little as it can, because it shares its core with the load generator.
import { createServer, type Socket } from 'node:net';
import { readStreamShape, type StreamShape } from '../wire/chat-request.ts';
import { MessageReader } from '../wire/message-reader.ts';
import { streamChunk, streamEnd, streamHead, wholeAnswer } from './answers.ts';

const bytesRead = 8192; // Requests for streams are small; of larger bodies only the length matters.

function sendStream(socket: Socket, shape: StreamShape): void {
  let sent = 1;
  socket.write(Buffer.concat([streamHead, streamChunk]));
  const timer = setInterval(() => {
    if (socket.destroyed) {
      clearInterval(timer);
    } else if (sent < shape.chunks) {
      sent += 1;
      socket.write(streamChunk);
    } else {
      clearInterval(timer);
      socket.write(streamEnd);
    }
  }, shape.everyMs);
}

function serve(socket: Socket): void {
  let body = '';
  const reader = new MessageReader({
    onHead: () => {
      body = '';
    },
    onBody: (part) => {
      if (body.length < bytesRead) body += part.toString('latin1', 0, bytesRead - body.length);
    },
    onEnd: () => {
      const shape = readStreamShape(body);
      if (shape === undefined) socket.write(wholeAnswer);
      else sendStream(socket, shape);
    },
  });
  socket.setNoDelay(true);
  socket.on('data', (data) => reader.push(data));
  socket.on('error', () => socket.destroy());
}

const server = createServer(serve);
server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
process.on('disconnect', () => process.exit(0));
