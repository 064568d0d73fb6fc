// Redis gone, slow, flushed or talking rubbish (FT-06). The proxy and the clients for it are in the rig; there is nothing
// to break as long as nothing uses Redis.
import { BOTH, type Fault, Skipped } from '../command/fault.ts';

export const brokenRedis: Fault = {
  id: 'FT-06',
  title: 'Redis gone, slow, flushed, answering rubbish',
  stores: BOTH,
  rounds: 1,
  run: () => Promise.reject(new Skipped('needs rate windows')),
};
