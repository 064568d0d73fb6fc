// Checks every line of an input file before any runs (contract-2 8): JSON, custom_id, method, path, model in scope, body.
import type { Principal } from '../../access/principal.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { OBJECT, presentField, readJsonBody, readValue, STRING } from '../../protocols/json/json-request.ts';
import type { JsonObject } from '../../shared/json-fields.ts';
import { nextRound } from '../../shared/wait.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import type { JsonPath } from '../../protocols/paths.ts';
import { type BatchPlan, customIdProblem, type LineProblem, MOST_LINES, type PlannedLine } from './batch-plan.ts';
import { type EstimateDependencies, LineEstimator } from './estimate-line.ts';
import { splitLines } from './split-lines.ts';

export interface LinesInput {
  endpoint: string;
  kind: JsonPath;
  principal: Principal;
  input: AsyncIterable<Buffer>;
}

const fields = new Map([
  ['custom_id', STRING],
  ['method', STRING],
  ['url', STRING],
  ['body', OBJECT],
]);
const NAMES = [...fields.keys()];
/** So many are named. */
const MOST_PROBLEMS = 100;
/** Other requests get to run after so many milliseconds. */
const SLICE_MS = 10;

export async function planLines(
  dependencies: EstimateDependencies & Pick<BatchDependencies, 'maxBodyBytes'>,
  { endpoint, kind, principal, input }: LinesInput,
): Promise<BatchPlan> {
  const { maxBodyBytes } = dependencies;
  const estimator = new LineEstimator(dependencies, principal);
  const lines: PlannedLine[] = [];
  const problems: LineProblem[] = [];
  const seen = new Set<string>();
  let number = 0;
  let sliceStart = performance.now();
  for await (const { bytes, start } of splitLines(input, maxBodyBytes)) {
    number++;
    if (number > MOST_LINES) {
      problems.push({ code: 'too_many_lines', message: `The input has more than ${MOST_LINES} lines.` });
      break;
    }
    try {
      if (bytes.length === 0) throw wrong('line_too_long', `The line is longer than ${maxBodyBytes} bytes.`);
      const { customId, body } = readLine(bytes, endpoint);
      if (seen.has(customId))
        throw wrong('duplicate_custom_id', `'custom_id' "${customId}" is used twice.`, 'custom_id');
      seen.add(customId);
      const { amount, price } = await estimator.estimate(kind, bytes.subarray(body.start, body.end));
      lines.push({ customId, start: start + body.start, end: start + body.end, estimate: amount, price });
    } catch (error) {
      problems.push({ ...problemOf(error), line: number });
      if (problems.length >= MOST_PROBLEMS) break;
    }
    if (performance.now() - sliceStart < SLICE_MS) continue;
    await nextRound();
    sliceStart = performance.now();
  }
  if (number === 0) problems.push({ code: 'empty_file', message: 'The input has no lines.' });
  return { lines, problems };
}

function readLine(bytes: Buffer, endpoint: string): { customId: string; body: { start: number; end: number } } {
  const json = readEnvelope(bytes);
  const customId = readValue(json, 'custom_id');
  const problem = customIdProblem(customId);
  if (problem !== undefined) throw wrong('invalid_custom_id', problem, 'custom_id');
  const method = readValue(json, 'method');
  if (method !== 'POST') throw wrong('invalid_method', "'method' must be POST.", 'method');
  const url = readValue(json, 'url');
  if (url !== endpoint) throw wrong('mismatched_endpoint', `'url' must be ${endpoint}, as the batch says.`, 'url');
  const body = presentField(json, 'body');
  if (body === undefined) throw wrong('missing_body', "'body' is required.", 'body');
  return { customId: customId as string, body: { start: body.valueStart, end: body.valueEnd } };
}

/** What is wrong with the line itself is not about its body. */
function readEnvelope(bytes: Buffer): JsonObject {
  try {
    return readJsonBody(bytes, fields, NAMES);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    const { message, publicCode, details } = error;
    if (details.param !== undefined) throw wrong(publicCode, message, details.param);
    throw wrong('invalid_json_line', message.replace(/^The body/, 'The line'));
  }
}

class LineError extends Error {
  readonly problem: LineProblem;

  constructor(problem: LineProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

function wrong(code: string, message: string, param?: string): LineError {
  return new LineError({ code, message, param });
}

function problemOf(error: unknown): LineProblem {
  if (error instanceof LineError) return error.problem;
  if (!(error instanceof GatewayError) || error.status >= 500) throw error;
  const { param } = error.details;
  return { code: error.publicCode, message: error.message, param: param === undefined ? undefined : `body.${param}` };
}
