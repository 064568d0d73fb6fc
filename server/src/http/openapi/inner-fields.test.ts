// What is inside of a body: every field that a reader knows in messages, parts, tools and settings stands in the document
// (issue 30, item 7). The tables are those by which translation tells known fields from unknown ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readers as messageBlocks } from '../../protocols/anthropic-messages/client/read-content.ts';
import { MESSAGE_FIELDS } from '../../protocols/anthropic-messages/client/read-generation.ts';
import * as messageSettings from '../../protocols/anthropic-messages/client/read-settings.ts';
import * as messageTools from '../../protocols/anthropic-messages/client/read-tools.ts';
import * as contents from '../../protocols/gemini-generate-content/client/read-messages.ts';
import * as contentMedia from '../../protocols/gemini-generate-content/client/read-media.ts';
import * as contentResults from '../../protocols/gemini-generate-content/client/read-result-part.ts';
import * as contentSettings from '../../protocols/gemini-generate-content/client/read-settings.ts';
import * as contentTools from '../../protocols/gemini-generate-content/client/read-tools.ts';
import { PART_FIELDS as chatParts } from '../../protocols/openai-chat/client/read-content.ts';
import * as chatMessages from '../../protocols/openai-chat/client/read-messages.ts';
import { PART_FIELDS as responseParts } from '../../protocols/openai-responses/client/read-content.ts';
import { KNOWN_REASONING, KNOWN_TEXT } from '../../protocols/openai-responses/client/read-generation.ts';
import { KNOWN as responseItems } from '../../protocols/openai-responses/client/read-messages.ts';
import { CACHE_FIELDS } from '../../protocols/openai-shared/content.ts';
import { FIELDS as customToolFields } from '../../protocols/openai-shared/custom-tools.ts';
import { FUNCTION_FIELDS } from '../../protocols/openai-shared/tools.ts';
import { components, descriptions } from './descriptions.ts';
import type { Schema } from './schema.ts';

/** Where in the document -> what the reader knows there. A path goes through properties, and through lists. */
const TABLES: readonly (readonly [path: string, known: Iterable<string>])[] = [
  ['ChatMessage', chatMessages.KNOWN],
  ['ChatToolCall', chatMessages.KNOWN_CALL],
  ['ChatToolCall', chatMessages.KNOWN_CUSTOM_CALL],
  ['ChatContentPart', [...chatParts, ...CACHE_FIELDS]],
  ['FunctionTool', FUNCTION_FIELDS],
  ['ChatTool.custom', customToolFields],
  ['ResponseInputItem', [...responseItems.values()].flatMap((names) => [...names])],
  ['ResponseInputPart', [...responseParts, ...CACHE_FIELDS]],
  ['ResponseTool', [...FUNCTION_FIELDS, ...customToolFields]],
  ['POST /v1/responses.reasoning', KNOWN_REASONING],
  ['POST /v1/responses.text', KNOWN_TEXT],
  ['Message', MESSAGE_FIELDS],
  ['MessageBlock', [...messageBlocks.values()].flatMap(({ known }) => [...known])],
  ['MessageTool', messageTools.TOOL_FIELDS],
  ['POST /v1/messages.tool_choice', messageTools.CHOICE_FIELDS],
  ['POST /v1/messages.output_config', messageSettings.CONFIG_FIELDS],
  ['POST /v1/messages.thinking', messageSettings.THINKING_FIELDS],
  ['POST /v1/messages.metadata', messageSettings.METADATA_FIELDS],
  ['Content', contents.TURN_FIELDS],
  ['ContentPart', contents.PART_FIELDS],
  ['ContentPart.functionCall', contents.CALL_FIELDS],
  ['ContentPart.functionResponse', contentResults.RESULT_FIELDS],
  ['ContentPart.inlineData', contentMedia.INLINE_FIELDS],
  ['ContentPart.fileData', contentMedia.FILE_FIELDS],
  ['ContentTool', contentTools.TOOL_FIELDS],
  ['ContentTool.functionDeclarations', contentTools.DECLARATION_FIELDS],
  ['GenerateContentRequest.toolConfig', contentTools.CONFIG_FIELDS],
  ['GenerateContentRequest.toolConfig.functionCallingConfig', contentTools.CHOICE_FIELDS],
  ['GenerationConfig', contentSettings.CONFIG_FIELDS],
  ['GenerationConfig.thinkingConfig', contentSettings.THINKING_FIELDS],
];

for (const [path, known] of TABLES)
  test(`${path} has every field that its reader knows`, () => {
    const names = Object.keys(propertiesAt(path));
    assert.deepEqual(
      [...new Set(known)].filter((name) => !names.includes(name)),
      [],
    );
  });

function propertiesAt(path: string): Record<string, Schema> {
  const [start = '', ...names] = path.split('.');
  const first = start.startsWith('POST ') ? descriptions[start]?.body : components[start];
  assert.ok(first !== undefined, start);
  const found = names.reduce<Schema>((schema, name) => resolved(propertiesOf(schema)[name] ?? {}), first);
  return propertiesOf(found);
}

function resolved(schema: Schema): Schema {
  const { items, $ref } = schema as { items?: Schema; $ref?: string };
  if ($ref !== undefined) return resolved(components[$ref.split('/').at(-1) ?? ''] ?? {});
  return items === undefined ? schema : resolved(items);
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  const { properties } = schema as { properties?: Record<string, Schema> };
  assert.ok(properties !== undefined, 'an object with fields');
  return properties;
}
