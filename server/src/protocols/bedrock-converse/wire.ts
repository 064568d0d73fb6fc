// Names of the Converse wire that several files share.
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
import type { OwnFields } from '../json/drop-fields.ts';
import type { TextFields } from '../stream/count-text.ts';

/** As signatures carry it. */
export const NAME = 'bedrock-converse';

export const ownFields: OwnFields = {
  fixed: new Set(['messages']),
  origins: {
    system: ['instructions'],
    inferenceConfig: ['maxOutputTokens', 'temperature', 'topP', 'stop'],
    toolConfig: ['tools', 'toolChoice'],
    additionalModelRequestFields: ['reasoning', 'topK'],
    outputConfig: ['format'],
    serviceTier: ['serviceTier'],
  },
};

/** Where a whole answer holds output. */
export const CONTENT_TEXT: TextFields = { each: { text: 'text', input: 'value', redactedContent: 'text' } };
