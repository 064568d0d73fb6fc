// Generate-content through the google library.
import {
  ApiError,
  type Content,
  FinishReason,
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai';
import {
  type Ask,
  type Caller,
  type ClientDriver,
  LOW_BUDGET,
  nothingSeen,
  type Question,
  seeHeaders,
  type Seen,
  type SeenError,
  strictHeader,
} from '../driver.ts';

const FINISHES: Readonly<Record<string, string>> = { [FinishReason.STOP]: 'stop', [FinishReason.MAX_TOKENS]: 'length' };

export function generateContentClient({ address, key }: Caller): ClientDriver {
  const sdk = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: address } });
  return {
    name: 'generate-content',
    library: '@google/genai',
    stopField: 'generationConfig.stopSequences',
    countsReasoning: true,
    failure: 'UNAVAILABLE',
    async ask(ask) {
      const seen = nothingSeen();
      try {
        if (ask.stream) await askStream(sdk, ask, seen);
        else see(await sdk.models.generateContent(writeParams(ask)), seen);
        finish(seen);
      } catch (error) {
        seen.error = readError(error);
      }
      return seen;
    },
  };
}

async function askStream(sdk: GoogleGenAI, ask: Ask, seen: Seen): Promise<void> {
  for await (const chunk of await sdk.models.generateContentStream(writeParams(ask))) {
    see(chunk, seen);
    if ((chunk.candidates?.[0]?.content?.parts ?? []).some(saysSomething)) seen.pieces++;
  }
}

const saysSomething = ({ text, functionCall }: Part): boolean =>
  functionCall !== undefined || (text !== undefined && text !== '');

/** One chunk, or the whole. */
function see({ candidates, usageMetadata, sdkHttpResponse }: GenerateContentResponse, seen: Seen): void {
  const headers = sdkHttpResponse?.headers;
  if (headers !== undefined) seeHeaders(seen, (name) => headers[name]);
  const [candidate] = candidates ?? [];
  const parts = candidate?.content?.parts ?? [];
  const turn = (seen.turn ??= { role: 'model', parts: [] }) as Content;
  turn.parts?.push(...parts.filter((part) => saysSomething(part) || part.thoughtSignature !== undefined));
  for (const { text = '', thought, functionCall } of parts) {
    if (thought === true) seen.reasoning += text;
    else seen.text += text;
    if (functionCall !== undefined)
      seen.calls.push({ id: functionCall.id, name: functionCall.name ?? '', arguments: functionCall.args });
  }
  const reason = candidate?.finishReason;
  if (reason !== undefined) seen.finish = FINISHES[reason] ?? reason;
  if (usageMetadata !== undefined) {
    const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usageMetadata;
    const output = candidatesTokenCount + thoughtsTokenCount;
    const cached = usageMetadata.cachedContentTokenCount ?? 0;
    seen.usage = { input: promptTokenCount, cached, output, reasoning: thoughtsTokenCount };
  }
}

/** This protocol has one word for having said everything and for calling. */
function finish(seen: Seen): void {
  if (seen.finish === 'stop' && seen.calls.length > 0) seen.finish = 'calls';
}

function readError(error: unknown): SeenError {
  if (!(error instanceof ApiError)) throw error;
  const { status, message } = error;
  const body = JSON.parse(message.slice(message.indexOf('{'))) as { error: { status: string; message: string } };
  return { status, kind: body.error.status, message: body.error.message };
}

function writeParams({ question, model, strict }: Ask): GenerateContentParameters {
  const { system, tools, schema, reasons, stop, maxTokens } = question;
  return {
    model,
    contents: writeContents(question),
    config: {
      httpOptions: { headers: strictHeader(strict) },
      ...(system !== undefined && { systemInstruction: system }),
      ...(tools !== undefined && {
        tools: [
          {
            functionDeclarations: tools.map(({ name, description, parameters }) => ({
              name,
              description,
              parametersJsonSchema: parameters,
            })),
          },
        ],
      }),
      ...(schema !== undefined && { responseMimeType: 'application/json', responseJsonSchema: schema }),
      ...(reasons === true && { thinkingConfig: { includeThoughts: true, thinkingBudget: LOW_BUDGET } }),
      ...(stop !== undefined && { stopSequences: [stop] }),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    },
  };
}

function writeContents({ prompt, picture, after }: Question): Content[] {
  const parts: Part[] = [{ text: prompt }];
  if (picture !== undefined) parts.push({ inlineData: { mimeType: 'image/png', data: picture } });
  const contents: Content[] = [{ role: 'user', parts }];
  if (after === undefined) return contents;
  const responses = after.results.map((output, index): Part => {
    const call = after.answer.calls[index];
    const id = call?.id === undefined ? {} : { id: call.id };
    return { functionResponse: { ...id, name: call?.name ?? '', response: { output } } };
  });
  return [...contents, after.answer.turn as Content, { role: 'user', parts: responses }];
}
