// A stream as its checkpoints read it: what it would be charged if it broke off now.
import type { RateGrant } from '../access/rate-limit/rate-limiter.ts';
import type { StreamReader } from '../protocols/protocol.ts';
import type { Bill } from './bill.ts';
import { atLeast } from './broken-stream.ts';
import type { FollowedStream } from './checkpoints.ts';
import { type OutcomeFacts, requestRow } from './outcome.ts';
import type { AsSent } from './sent-limit.ts';

interface StreamMoney {
  bill: Bill;
  facts: OutcomeFacts;
  grant: RateGrant | undefined;
  asSent: AsSent | undefined;
}

export function followedStream(
  { bill, facts, grant, asSent }: StreamMoney,
  reader: StreamReader,
  firstByteMs: number,
): FollowedStream {
  return {
    output: () => reader.outputPieces,
    saw: (output) => grant?.saw(output),
    row() {
      const { outputPieces: output, images, isDoubtful, extras } = reader;
      const counted = atLeast(reader.usage, output);
      if (!bill.isDue(counted?.output ?? output)) return undefined;
      const reported = { usage: counted, output, images, isDoubtful, extras };
      const { usage, source } = bill.used({ ...reported, source: 'counted', ...asSent });
      const end = { status: 200, errorCode: null, firstByteMs, usage, usageSource: source, charge: bill.charge(usage) };
      return requestRow(facts, end);
    },
  };
}
