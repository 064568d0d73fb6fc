// What the text protocols share of a request that is passed on as it came, but for proofs and ids of calls that its
// upstream does not take.
import { once } from '../../shared/once.ts';
import type { ReadRequest, RelayRequest } from '../protocol.ts';
import { type CallIdFields, fitCallIds } from '../translation/fit-call-ids.ts';
import type { ForeignSignatures } from '../translation/foreign-signatures.ts';
import { marksCache, sourcesIn } from './body-names.ts';
import { writeJson } from './write-json.ts';

export interface Conversation {
  fixed: ReadonlySet<string>;
  callIds: CallIdFields;
  signatures: ForeignSignatures;
}

type PassedOn = Pick<RelayRequest, 'write' | 'namesSource' | 'mayNameSource' | 'marksCache'>;

export function passOn({ json, model }: ReadRequest, { fixed, callIds, signatures }: Conversation): PassedOn {
  return {
    write(target) {
      const changes = fitCallIds(json, callIds, signatures.changes(target.upstreamModel));
      return writeJson({ json, model, fixed, changes }, target);
    },
    ...sourcesIn(json.bytes),
    marksCache: once(() => marksCache(json.bytes)),
  };
}
