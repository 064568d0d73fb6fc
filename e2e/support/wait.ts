// Waiting for what happens a moment later.
export { waitUntil } from '../../server/src/testing/wait-until.ts';

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
