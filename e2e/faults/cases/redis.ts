// Redis gone, slow, flushed or talking rubbish (FT-06), and rates shared by two processes (of FT-21). The proxy for it is in
// the rig (fault-proxy.ts); there is nothing to break as long as nothing uses Redis.
import { BOTH, type Fault, Skipped } from '../command/fault.ts';

export const brokenRedis: Fault = {
  id: 'FT-06',
  title: 'Redis gone, slow, flushed, answering rubbish',
  stores: BOTH,
  rounds: 1,
  run: () => Promise.reject(new Skipped('needs rate windows')),
};

export const sharedRates: Fault = {
  id: 'FT-21-RATES',
  title: 'two processes share the rate windows of a token',
  stores: BOTH,
  rounds: 1,
  run: () => Promise.reject(new Skipped('needs rate windows')),
};
