// Tools, and the subset of schemas in which their parameters and structured answers are described.
// https://ai.google.dev/api/caching#Tool
import {
  anyValue,
  double,
  type Field,
  flag,
  int64,
  listOf,
  mapOf,
  message,
  oneOf,
  struct,
  text,
} from './field-types.ts';

const type = oneOf('Type', 'TYPE_UNSPECIFIED', 'STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL');

export const schema: Field = message('Schema', () => ({
  type,
  format: text,
  title: text,
  description: text,
  nullable: flag,
  enum: listOf(text),
  items: schema,
  minItems: int64,
  maxItems: int64,
  properties: mapOf(schema),
  required: listOf(text),
  minProperties: int64,
  maxProperties: int64,
  minimum: double,
  maximum: double,
  minLength: int64,
  maxLength: int64,
  pattern: text,
  example: anyValue,
  anyOf: listOf(schema),
  propertyOrdering: listOf(text),
  default: anyValue,
}));

const functionDeclaration = message('FunctionDeclaration', () => ({
  name: text,
  description: text,
  behavior: oneOf('FunctionDeclaration.Behavior', 'UNSPECIFIED', 'BLOCKING', 'NON_BLOCKING'),
  parameters: schema,
  parametersJsonSchema: anyValue,
  response: schema,
  responseJsonSchema: anyValue,
}));

export const tool = message('Tool', () => ({
  functionDeclarations: listOf(functionDeclaration),
  googleSearch: struct,
  googleSearchRetrieval: struct,
  codeExecution: struct,
  urlContext: struct,
  computerUse: struct,
  fileSearch: struct,
  googleMaps: struct,
  mcpServers: listOf(struct),
}));

export const toolConfig = message('ToolConfig', () => ({
  functionCallingConfig: message('FunctionCallingConfig', () => ({
    mode: oneOf('FunctionCallingConfig.Mode', 'MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'),
    allowedFunctionNames: listOf(text),
  })),
  retrievalConfig: struct,
  includeServerSideToolInvocations: flag,
}));
