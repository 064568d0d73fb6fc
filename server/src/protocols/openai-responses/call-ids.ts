// Where input items hold ids of calls: calls of any kind, and their results.
import { NAMES_CALL_LONG } from '../../shared/noted-names.ts';
import type { CallIdFields } from '../translation/fit-call-ids.ts';
import { SHORT_IDS } from '../translation/fit-names.ts';

export const callIds: CallIdFields = {
  list: 'input',
  paths: new Set(['[].call_id']),
  alphabet: SHORT_IDS,
  watched: NAMES_CALL_LONG,
};
