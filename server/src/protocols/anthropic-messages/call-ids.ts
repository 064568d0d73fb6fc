// Where messages hold ids of calls: in blocks of calls of any kind, and of their results.
import { NAMES_CALL_LONG, NAMES_CALL_STRAY } from '../../shared/noted-names.ts';
import type { CallIdFields } from '../translation/fit-call-ids.ts';
import { WORD_IDS } from '../translation/fit-names.ts';

export const callIds: CallIdFields = {
  list: 'messages',
  paths: new Set(['[].content[].id', '[].content[].tool_use_id']),
  alphabet: WORD_IDS,
  watched: NAMES_CALL_LONG | NAMES_CALL_STRAY,
};
