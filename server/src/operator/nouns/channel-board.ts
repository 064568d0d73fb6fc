// /channel-board: all that a page of channels shows, in one call.
import { channelBoard, channelBoardQuery } from '#contract/channel-board.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readCursor } from '../list-page.ts';
import { failuresOfList, route } from '../operation.ts';
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
}
