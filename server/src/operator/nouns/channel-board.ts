// /channel-board: all that a page of channels shows, in one call; /channel-health: which breakers are open and which keys are
// refused, in this process.
import { channelBoard, channelBoardQuery } from '#contract/channel-board.ts';
import { channelHealthList } from '#contract/channel-health.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readCursor } from '../list-page.ts';
import { failures, failuresOfList, route } from '../operation.ts';
import { readBoard } from '../records/channel-board.ts';
import { checkProvider } from '../records/providers.ts';

export function channelBoardRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  app.get(
    '/channel-board',
    route('Channels', 'List channels with their last 24 hours, by hour and by key', {
      querystring: channelBoardQuery,
      response: { 200: channelBoard, ...failuresOfList },
    }),
    async ({ query: { cursor, q, ...listing } }) => {
      checkProvider(listing.provider);
      return readBoard(dependencies, dependencies.store.lists, { ...listing, name: q, after: readCursor(cursor) });
    },
  );

  app.get(
    '/channel-health',
    route('Channels', 'How every channel fares right now', { response: { 200: channelHealthList, ...failures } }),
    async () => ({ data: dependencies.channelHealth(), next_cursor: null }),
  );
}
