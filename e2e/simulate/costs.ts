// What the parts of a simulated fleet cost, in milliseconds of one core. Measured with `npm run simulate -- --measure`,
// which counts the processor time of the real servers, so that it does not depend on other work of the machine.

export interface Costs {
  /** Database: holds, charges and log of one small chat, at 64 connections. */
  chat: number;
  /** Database: key, token and account of a key that a process does not know. */
  principal: number;
  /** Database: change notices after a number, where there is none, and for each one that there is. */
  look: number;
  notice: number;
  /** Database: a change of a token by an operator, as a whole. */
  change: number;
  /** Database: the catalogue of 300 models on 30 channels. */
  catalogue: number;
  /** Database: the question when the next task is due; a claim; each task of a claim; each look written down. */
  due: number;
  claim: number;
  claimed: number;
  looked: number;
  /** Redis: admission and end of one request that has limits for its token and its account. */
  window: number;
}

/** 2026-11-18, PostgreSQL and Redis on 2 virtual cores of 2.5 GHz that had much other work: rather too high than too low. */
export const MEASURED: Costs = {
  chat: 0.42,
  principal: 0.45,
  look: 0.19,
  notice: 0.0018,
  change: 1.8,
  catalogue: 2.2,
  due: 0.25,
  claim: 1.54,
  claimed: 0.114,
  looked: 0.114,
  window: 0.233,
};
