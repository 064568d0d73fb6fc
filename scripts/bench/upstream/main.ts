// The cheap upstream, a process of its own: answers every request with canned bytes over bare sockets, in the protocol
// of its path. It spends as little as it can, because it shares its core with the load generator.
import { createServer, type Socket } from 'node:net';
import { messagesPath, readStreamShape, type StreamShape } from '../wire/chat-request.ts';
import { MessageReader } from '../wire/message-reader.ts';
import type { Answers } from './answers.ts';
import { chatAnswers, longChunk } from './chat-answers.ts';
import { messagesAnswers } from './messages-answers.ts';

const bytesRead = 8192; // Requests for streams are small; of larger bodies only the length matters.

function sendStream(socket: Socket, answers: Answers, shape: StreamShape): void {
  let sent = 1;
  socket.write(answers.streamStart);
  const timer = setInterval(() => {
    if (socket.destroyed) {
      clearInterval(timer);
    } else if (sent < shape.chunks) {
      sent += 1;
      socket.write(answers.streamChunk);
    } else {
      clearInterval(timer);
      socket.write(answers.streamEnd);
    }
  }, shape.everyMs);
}

/** Chunks as fast as the relay takes them. */
function sendFast(socket: Socket, answers: Answers, { chunks, chunkBytes }: StreamShape): void {
  const chunk = chunkBytes === undefined ? answers.streamChunk : longChunk(chunkBytes);
  let sent = 1;
  const sendMore = (): void => {
    while (sent < chunks && !socket.destroyed) {
      sent += 1;
      if (!socket.write(chunk)) {
        socket.once('drain', sendMore);
        return;
      }
    }
    socket.write(answers.streamEnd);
  };
  socket.write(answers.streamStart);
  sendMore();
}

function serve(socket: Socket): void {
  let body = '';
  let answers = chatAnswers;
  const reader = new MessageReader({
    onHead: (head) => {
      body = '';
      answers = head.startsWith(`POST ${messagesPath} `) ? messagesAnswers : chatAnswers;
    },
    onBody: (part) => {
      if (body.length < bytesRead) body += part.toString('latin1', 0, bytesRead - body.length);
    },
    onEnd: () => {
      const shape = readStreamShape(body);
      if (shape === undefined) socket.write(answers.whole);
      else if (shape.everyMs === 0) sendFast(socket, answers, shape);
      else sendStream(socket, answers, shape);
    },
  });
  socket.setNoDelay(true);
  socket.on('data', (data) => reader.push(data));
  socket.on('error', () => socket.destroy());
}

const server = createServer(serve);
const [port = '0'] = process.argv.slice(2);
server.listen({ port: Number(port), host: '127.0.0.1', backlog: 2048 }, () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
process.on('disconnect', () => process.exit(0));
