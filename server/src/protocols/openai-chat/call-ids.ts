// Where messages hold ids of calls: in calls, and in results.
import { NAMES_CALL_LONG } from '../../shared/noted-names.ts';
import type { CallIdFields } from '../translation/fit-call-ids.ts';
import { SHORT_IDS } from '../translation/fit-names.ts';

export const callIds: CallIdFields = {
  list: 'messages',
  paths: new Set(['[].tool_calls[].id', '[].tool_call_id']),
  alphabet: SHORT_IDS,
  watched: NAMES_CALL_LONG,
};
