// Bedrock's Converse: a protocol that no client speaks here. Requests of every text protocol are put into it for models
// that have no better way.
import { limitIn } from '../json/read-limit.ts';
import type { UpstreamProtocol } from '../protocol.ts';
import type { UpstreamSide } from '../text-protocol.ts';
import { OPENAI_NAMES } from '../translation/fit-names.ts';
import { readComplaint } from './error.ts';
import { readConverseAnswer } from './read-answer.ts';
import { readResult } from './upstream/read-result.ts';
import { ConversePartsReader } from './upstream/read-stream.ts';
import { writeGeneration } from './upstream/write-generation.ts';
import { NAME } from './wire.ts';

const bedrockConverse: UpstreamProtocol = {
  name: NAME,
  operation: 'converse',
  answers: 'whole',
  readAnswer: readConverseAnswer,
  readComplaint,
  readLimit: limitIn('inferenceConfig.maxTokens'),
  tierFields: ['serviceTier'],
};

export const bedrockConverseUpstream: UpstreamSide = {
  name: NAME,
  names: OPENAI_NAMES,
  protocol: bedrockConverse,
  lacksEmptyTexts: true,
  writeGeneration,
  readResult,
  readStream: () => new ConversePartsReader(),
};
