// Loaded before a peer that listens on every address of the machine: makes it listen on loopback only.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function (first, ...rest) {
  if (typeof first === 'number' || typeof first === 'string') {
    const onListening = rest.findLast((word) => typeof word === 'function');
    return listen.call(this, { port: Number(first), host: '127.0.0.1' }, onListening);
  }
  return listen.call(this, { ...first, host: '127.0.0.1' }, ...rest);
};
