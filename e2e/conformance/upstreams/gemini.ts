// What an upstream of generate-content received.
import { bodyOf, listOf, objectOf, optionalText, textOf, type Upstream } from '../upstream.ts';

export const geminiUpstream: Upstream = {
  name: 'gemini',
  provider: 'gemini',
  options: {},
  model: 'gemini-3-pro-preview',
  showsReasoning: true,
  countsReasoning: true,
  hasStop: true,
  read(record) {
    const body = bodyOf(record);
    const config = objectOf(body['generationConfig']);
    const thinking = objectOf(config['thinkingConfig']);
    const parts = listOf(body['contents']).flatMap((content) => listOf(content['parts']));
    const inside = (name: string) => parts.flatMap((part) => (part[name] === undefined ? [] : [objectOf(part[name])]));
    const declared = listOf(body['tools']).flatMap((tool) => listOf(tool['functionDeclarations']));
    return {
      streams: record.path.endsWith(':streamGenerateContent'),
      system: textOf(objectOf(body['systemInstruction'])['parts']),
      tools: declared.map(({ name, parametersJsonSchema, parameters }) => ({
        name: String(name),
        parameters: parametersJsonSchema ?? parameters,
      })),
      calls: inside('functionCall').map(({ id, name, args }) => ({
        id: optionalText(id),
        name: String(name),
        arguments: args,
      })),
      results: inside('functionResponse').map(({ id, response }) => ({
        id: optionalText(id),
        text: JSON.stringify(response),
      })),
      pictures: inside('inlineData').map(({ data }) => String(data)),
      schema: config['responseJsonSchema'] ?? config['responseSchema'],
      stop: config['stopSequences'],
      maxTokens: config['maxOutputTokens'],
      effort: thinking['thinkingLevel'] ?? thinking['thinkingBudget'],
      signatures: parts.flatMap(({ thoughtSignature }) =>
        typeof thoughtSignature === 'string' ? [thoughtSignature] : [],
      ),
    };
  },
};
