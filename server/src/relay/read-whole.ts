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
  const { status } = result;
  try {
    const answer = protocol.readAnswer(result.body, result.contentType);
    const body = writeAnswer === undefined ? result.body : writeAnswer(result.body);
    if (answer !== undefined && !answer.hasError && body !== undefined) {
      // What we wrote ourselves is JSON, whatever the upstream called its own.
      const contentType = writeAnswer === undefined ? result.contentType : 'application/json';
      return { result: { ...result, contentType, body }, answer };
    }
  } catch (cause) {
    // Whatever an upstream says, it is its fault if it cannot be read: values nested without end, for instance.
    throw new UpstreamError('malformed', 'the answer cannot be read', { status, cause });
  }
  throw new UpstreamError('malformed', 'the answer is not of the protocol', { status });
}
