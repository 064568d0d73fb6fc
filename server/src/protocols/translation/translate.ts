// A request of one text protocol, put to an upstream of another: read -> neutral -> write, and the answer the same way
// back. What cannot be translated is named, never lost silently.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { CallNames } from './call-names.ts';
import { Dropped } from '../../neutral/dropped.ts';
import { CustomCalls } from '../custom-tools/custom-calls.ts';
import { customNames } from '../custom-tools/custom-tool.ts';
import { FittedNames } from './fit-names.ts';
import { refuseSilence, withoutLost } from './refuse-silence.ts';
import type { RelayRequest } from '../protocol.ts';
import { type AnswerContext, type ClientSide, pathOfPicture, type UpstreamSide } from '../text-protocol.ts';
import { TranslatedStream } from './translated-stream.ts';

export interface Translation {
  from: ClientSide;
  to: UpstreamSide;
  /** Of the answer: unique, letters and digits only. */
  id: string;
  /** Unix seconds. */
  created: number;
  /** As in AnswerContext. */
  now?: () => number;
  /** The caller would rather be refused than lose a field. */
  strict: boolean;
  /** For upstreams that need a limit where the caller gave none. */
  defaultMaxOutput: number;
}

/** undefined when the request is none for text. */
export function translateRequest(request: RelayRequest, translation: Translation): RelayRequest | undefined {
  const generation = request.readGeneration?.();
  if (generation === undefined) return undefined;
  const { from, to, id, created, now, strict, defaultMaxOutput } = translation;
  const context: AnswerContext = { id, created, generation, ...(now !== undefined && { now }) };
  const names = new FittedNames(withoutLost(generation), to.names);
  const custom = customNames(generation.tools);
  const dropped = new Dropped({ ...from.settingPaths, ...generation.paths }, generation.unknown);
  const { headers: _, ...rest } = request;
  return {
    ...rest,
    // The neutral form has one answer; more are named as dropped.
    choices: 1,
    write({ upstreamModel, dropFields, rewrite }) {
      const target = { upstreamModel, dropFields, rewrite, defaultMaxOutput, dropped };
      const body = to.writeGeneration(names.generation, target);
      refuseSilence(generation, to, dropped.paths);
      if (strict && dropped.paths.length > 0) throw cannotBeTranslated(dropped.paths);
      return body;
    },
    readStream() {
      const stream = new TranslatedStream(to.readStream(), from.writeStream(context), {
        names: new CallNames(id, names),
        custom: new CustomCalls(custom),
        lacksPictures: from.lacksPictures === true,
      });
      return request.framing?.wrap?.(stream) ?? stream;
    },
    writeAnswer(body) {
      const result = to.readResult(body);
      if (result === undefined) return undefined;
      if (from.lacksPictures === true)
        for (const [index, part] of result.content.entries())
          if (part.type === 'picture') dropped.path(pathOfPicture(index));
      return from.writeResult(new CustomCalls(custom).inResult(new CallNames(id, names).inResult(result)), context);
    },
    get dropped() {
      return dropped.paths;
    },
  };
}

/** The caller is strict, and would lose these. */
export function cannotBeTranslated(paths: readonly string[]): Error {
  const [first = ''] = paths;
  const names = paths.map((path) => `'${path}'`).join(', ');
  return invalidRequest(
    `The provider of this model cannot take ${names} as asked. Change it, leave it out, or do without x-tollgate-strict.`,
    first,
  );
}
