// The blocks that a message may consist of, as data. https://docs.claude.com/en/api/messages
import {
  anything,
  base64,
  type Check,
  dictionary,
  flag,
  integer,
  list,
  matching,
  nullable,
  oneOf,
  shape,
  tagged,
  text,
  textOrList,
} from '../checks.ts';

export const cacheControl = nullable(tagged({ ephemeral: shape({}, { ttl: oneOf('5m', '1h') }) }));

const cached = { cache_control: cacheControl };
const citations = nullable(shape({}, { enabled: flag }));
const imageTypes = oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp');
// Other schemes, plain http among them, are not fetched by the real service.
const address = matching(/^https:\/\/\S+$/);
const file = shape({ file_id: text });
export const toolName = matching(/^[a-zA-Z0-9_-]{1,128}$/);
const toolUseId = matching(/^[a-zA-Z0-9_-]+$/);

const textBlock = shape({ text }, { ...cached, citations: nullable(list(dictionary)) });

const imageBlock = shape(
  { source: tagged({ base64: shape({ media_type: imageTypes, data: base64 }), url: shape({ url: address }), file }) },
  { ...cached, transformations: anything },
);

const documentSource = tagged({
  base64: shape({ media_type: oneOf('application/pdf'), data: base64 }),
  text: shape({ media_type: oneOf('text/plain'), data: text }),
  content: shape({ content: textOrList(tagged({ text: textBlock, image: imageBlock })) }),
  url: shape({ url: address }),
  file,
});
const documentBlock = shape(
  { source: documentSource },
  { ...cached, title: nullable(text), context: nullable(text), citations },
);

const searchResultBlock = shape(
  { content: list(tagged({ text: textBlock })), source: text, title: text },
  { ...cached, citations },
);

const resultContent = tagged({
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  search_result: searchResultBlock,
  tool_reference: shape({ tool_name: text }, cached),
});

/** Tools that the real service runs itself: taken as they come, never made here. */
const serverBlocks = [
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'container_upload',
];

export const contentBlock: Check = tagged({
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  search_result: searchResultBlock,
  thinking: shape({ thinking: text, signature: text }),
  redacted_thinking: shape({ data: text }),
  tool_use: shape(
    { id: toolUseId, name: toolName, input: dictionary },
    { ...cached, caller: dictionary, toolset_name: nullable(text) },
  ),
  tool_result: shape(
    { tool_use_id: toolUseId },
    { ...cached, content: textOrList(resultContent), is_error: flag, toolset_name: nullable(text) },
  ),
  ...Object.fromEntries(serverBlocks.map((name) => [name, anything])),
});

export const systemBlocks: Check = textOrList(tagged({ text: textBlock }));

export const thinking: Check = tagged({
  enabled: shape({ budget_tokens: integer({ least: 1024 }) }, { display: nullable(oneOf('summarized', 'omitted')) }),
  adaptive: shape({}, { display: nullable(oneOf('summarized', 'omitted')) }),
  disabled: shape({}),
});
