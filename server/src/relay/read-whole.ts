// A whole answer, checked to be one of the protocol, with the bytes that the client gets for it.
import type { WholeAnswer } from '../protocols/protocol.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { WholeResult } from './collect-answer.ts';
import type { Spoken } from './translate.ts';

export interface ReadWhole {
  result: WholeResult;
  answer: WholeAnswer;
}

/** Throws the failure of the attempt when the answer is none. */
export function readWhole({ protocol, request: { writeAnswer } }: Spoken, result: WholeResult): ReadWhole {
  const answer = protocol.readAnswer(result.body, result.contentType);
  const body = writeAnswer === undefined ? result.body : writeAnswer(result.body);
  if (answer === undefined || answer.hasError || body === undefined)
    throw new UpstreamError('malformed', 'the answer is not of the protocol', { status: result.status });
  return { result: { ...result, body }, answer };
}
