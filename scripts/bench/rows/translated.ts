// The small chat and the streamed chat once more, between a client and an upstream that speak different protocols.
// All else is as in the untranslated rows, so that the difference is the cost of translation.
import { measureStreams } from './stream.ts';
import type { Row, RowContext, LoadPhase } from './row.ts';
import { measureWhole, smallChat } from './whole.ts';

/** One phase for each way of translating; none for a relay that does not translate. */
function listPhases({ relays }: RowContext, row: string): LoadPhase[] {
  return relays.flatMap((relay) =>
    Object.entries(relay.translated ?? {}).map(([client, target]) => ({ name: `${row}.${client}`, relay, target })),
  );
}

export const translatedWhole: Row = {
  name: 'translated-whole',
  round: async (context) => {
    for (const phase of listPhases(context, 'translated-whole')) await measureWhole(context, phase, smallChat);
  },
};

export const translatedStream: Row = {
  name: 'translated-stream',
  round: async (context) => {
    for (const phase of listPhases(context, 'translated-stream')) await measureStreams(context, phase);
  },
};
