// POST ...:generateContent, :streamGenerateContent and :countTokens: checks the request, composes the answer, sends it whole,
// as server-sent events or as an array whose elements come one by one.
import { readHead } from '../http/exchange.ts';
import { frameAsArray } from '../http/framing.ts';
import { sendStream } from '../http/send-stream.ts';
import { sendWhole } from '../http/send-whole.ts';
import { isObject } from '../fields/refuse.ts';
import { makePng } from '../media/png.ts';
import type { Call } from '../protocol.ts';
import { composeAnswer, type Question } from '../text/compose-answer.ts';
import { writeEvents, writeResponse } from './answer/response.ts';
import { countInput } from './answer/usage.ts';
import { makeError, wantsArray } from './error.ts';
import { readModel } from './models.ts';
import { checkGenerateRequest, type GenerateRequest, readGenerateRequest } from './request/generate-request.ts';
import { countTokensFields } from './wire/messages.ts';
import { readMessage } from './wire/read-message.ts';
import { refuseArgument } from './wire/violations.ts';

export async function answerGenerateContent(call: Call): Promise<void> {
  const making = await makeAnswer(call);
  const errorBody = makeError({ status: 500 });
  await sendWhole(call.exchange, { body: writeResponse(making), errorBody }, call.behaviour);
}

export async function answerStreamGenerateContent(call: Call): Promise<void> {
  const { exchange, behaviour } = call;
  if (behaviour.ignoreStream) return answerGenerateContent(call);
  const making = await makeAnswer(call);
  const error = { data: JSON.stringify(makeError({ status: 500 })) };
  const isArray = wantsArray(readHead(exchange.request));
  await sendStream(
    exchange,
    { events: writeEvents(making), writeError: () => error, ...(isArray ? { framing: frameAsArray } : {}) },
    behaviour,
  );
}

export async function answerCountTokens(call: Call): Promise<void> {
  const { exchange, behaviour, body } = call;
  const model = readModel(call);
  const { contents, generateContentRequest } = readMessage(body, countTokensFields);
  if (contents !== undefined && generateContentRequest !== undefined) {
    refuseArgument('Only one of contents and generate_content_request may be set.');
  }
  const message = isObject(generateContentRequest) ? generateContentRequest : { contents };
  const totalTokens = countInput(checkGenerateRequest(message, model));
  const promptTokensDetails = [{ modality: 'TEXT', tokenCount: totalTokens }];
  const errorBody = makeError({ status: 500 });
  await sendWhole(exchange, { body: { totalTokens, promptTokensDetails }, errorBody }, behaviour);
}

async function makeAnswer(call: Call): Promise<Parameters<typeof writeResponse>[0]> {
  const request = readGenerateRequest(call.body, readModel(call));
  const composed = composeAnswer(makeQuestion(request), call);
  const isDrawn = request.draws && composed.ending === 'end';
  const answer = isDrawn && !request.speaks ? { ...composed, texts: [], tokens: 0 } : composed;
  return { request, answer, call, picture: isDrawn ? await drawPicture(call) : undefined };
}

async function drawPicture({ exchange }: Call): Promise<string> {
  const png = await makePng({ width: 256, height: 256, seed: exchange.record.rawBody });
  return png.toString('base64');
}

function makeQuestion(request: GenerateRequest): Question {
  const last = request.contents.findLast(({ role }) => role === 'user');
  const results = (last?.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? []);
  const texts = (last?.parts ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const isToolResult = results.length > 0;
  return {
    ...request,
    text: (isToolResult ? results.map(readResult) : texts).join('\n'),
    isToolResult,
    parallelToolCalls: true,
    announcesCalls: false,
  };
}

function readResult(result: unknown): string {
  return JSON.stringify(isObject(result) ? (result['response'] ?? {}) : {});
}
