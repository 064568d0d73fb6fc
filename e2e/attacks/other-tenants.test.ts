// One caller names what another left with the upstream that both share: files, stores, containers, conversations, prompts,
// cached contents, items of answers. It gets a 404 that names the field, before anything is held or sent; who made a thing
// is routed to where it is.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test, type TestContext } from 'node:test';
import { postChat, readError } from '../support/chat.ts';
import { NO_DATABASE_SERVER, type TestGateway } from '../support/gateway.ts';
import { ledgerOf, requestOf } from '../support/money.ts';
import {
  makeAccount,
  makeToken,
  makeWorld,
  suiteGateway,
  uniqueName,
  type World,
  type WorldOptions,
} from '../support/world.ts';

interface Seen {
  path: string;
  key: string;
  body: Record<string, unknown>;
}

/** An upstream of every text protocol that makes things and keeps them; its ids are its own. */
class Keeper {
  readonly seen: Seen[] = [];
  #count = 0;
  readonly server = createServer((request, response) => {
    let text = '';
    request
      .on('data', (chunk: Buffer) => (text += String(chunk)))
      .once('end', () => this.#answer(request, response, text));
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse, text: string): void {
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const path = request.url ?? '';
    const key = String(
      request.headers['authorization'] ?? request.headers['x-api-key'] ?? request.headers['x-goog-api-key'],
    );
    this.seen.push({ path, key, body });
    const number = ++this.#count;
    if (path.endsWith('/count_tokens')) return json(response, { input_tokens: 3 });
    if (path.endsWith('/responses')) return this.#respond(response, body, number);
    if (path.includes('generateContent'))
      return json(response, {
        candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
      });
    if (path.endsWith('/messages')) return this.#message(response, body, number);
    if (path.endsWith('/images/edits'))
      return json(response, { created: 1, data: [{ url: 'https://x.example/a.png' }] });
    const audio = { id: `audio_${number}`, data: 'AAAA', transcript: 'hi', expires_at: 1 };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (body['stream'] === true)
      return events(response, [
        { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { audio }, finish_reason: null }] },
        { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage },
        '[DONE]',
      ]);
    json(response, {
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'hi', audio }, finish_reason: 'stop' }],
      usage,
    });
  }

  #respond(response: ServerResponse, body: Record<string, unknown>, number: number): void {
    const answer = {
      id: `resp_${number}`,
      object: 'response',
      status: 'completed',
      store: body['store'] !== false,
      output: [
        { type: 'reasoning', id: `rs_${number}`, summary: [] },
        {
          type: 'code_interpreter_call',
          id: `ci_${number}`,
          container_id: `cntr_${number}`,
          code: '1',
          status: 'completed',
          outputs: [],
        },
        {
          type: 'message',
          id: `msg_${number}`,
          role: 'assistant',
          status: 'completed',
          content: [
            {
              type: 'output_text',
              text: 'hi',
              annotations: [
                {
                  type: 'container_file_citation',
                  container_id: `cntr_${number}`,
                  file_id: `cfile_${number}`,
                  start_index: 0,
                  end_index: 1,
                },
              ],
            },
          ],
        },
      ],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    };
    if (body['stream'] !== true) return json(response, answer);
    events(response, [
      { type: 'response.created', sequence_number: 0, response: { ...answer, status: 'in_progress', output: [] } },
      { type: 'response.completed', sequence_number: 1, response: answer },
    ]);
  }

  #message(response: ServerResponse, body: Record<string, unknown>, number: number): void {
    const container = { id: `container_${number}`, expires_at: '2030-01-01T00:00:00Z' };
    const result = {
      type: 'code_execution_tool_result',
      tool_use_id: 't',
      content: {
        type: 'code_execution_result',
        stdout: '',
        stderr: '',
        return_code: 0,
        content: [{ type: 'code_execution_output', file_id: `file_${number}` }],
      },
    };
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    if (body['stream'] !== true)
      return json(response, { ...message, content: [result, { type: 'text', text: 'hi' }], container });
    events(response, [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, container: null } },
      { type: 'content_block_start', index: 0, content_block: result },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'hi' } },
      { type: 'content_block_stop', index: 1 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null, container },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ]);
  }
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function events(response: ServerResponse, list: readonly (string | Record<string, unknown>)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const one of list) {
    const name = typeof one === 'object' && typeof one['type'] === 'string' ? `event: ${one['type']}\n` : '';
    response.write(`${name}data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`);
  }
  response.end();
}

const VERSION = { 'anthropic-version': '2023-06-01' };
const messages = [{ role: 'user', content: 'hello' }];

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(
    `objects of other tenants on ${postgres ? 'PostgreSQL' : 'SQLite'} (contract-2 7)`,
    { skip, concurrency: 4 },
    async () => {
      if (skip !== false) return;
      const gateway = await suiteGateway({ postgres });
      const keeper = new Keeper();
      const origin = await keeper.start();
      after(() => {
        keeper.server.close();
        keeper.server.closeAllConnections();
      });

      interface Tenants {
        victim: World;
        attacker: World;
        /** What the upstream has seen of these two. */
        sent(): Seen[];
      }

      /** Two accounts on the same channels. */
      const makeTenants = async (
        t: TestContext,
        provider: 'openai' | 'anthropic' | 'gemini',
        options: WorldOptions = {},
      ): Promise<Tenants> => {
        const base_url = provider === 'openai' ? `${origin}/v1` : origin;
        const mark = uniqueName('key');
        const channels = (options.channels ?? [{}]).map((channel, index) => ({
          provider,
          base_url,
          keys: [`${mark}-${index}-a`, `${mark}-${index}-b`],
          ...channel,
        }));
        const victim = await makeWorld(gateway, t, { ...options, channels });
        return {
          victim,
          attacker: await makeOther(gateway, victim),
          sent: () => keeper.seen.filter(({ key }) => key.includes(mark)),
        };
      };

      const call = (
        world: World,
        path: string,
        body: object,
        headers: Record<string, string> = {},
      ): Promise<Response> =>
        postChat(world, JSON.stringify(path.startsWith('/v1beta') ? body : { model: world.model, ...body }), {
          path,
          headers,
        });

      const made = async (world: World, path: string, body: object, headers = {}): Promise<Record<string, unknown>> => {
        const response = await call(world, path, body, headers);
        const text = await response.text();
        assert.equal(response.status, 200, text);
        return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text };
      };

      /** 404 that names the field, nothing sent, nothing held. */
      const refused = async ({ attacker, sent }: Tenants, path: string, body: object, field: string): Promise<void> => {
        const before = sent().length;
        const response = await call(attacker, path, body, path.includes('messages') ? VERSION : {});
        const text = await response.clone().text();
        assert.equal(response.status, 404, `${field}: ${text}`);
        assert.ok(text.includes(`'${field}'`), text);
        if (!path.includes('messages') && !path.startsWith('/v1beta')) {
          const { param } = await readError(response, 404, 'not_found');
          assert.equal(param, field);
        }
        assert.equal(sent().length, before, 'nothing is sent');
        const lines = await ledgerOf(gateway, { account_id: attacker.account.id });
        assert.deepEqual([...new Set(lines.map(({ kind }) => kind))], ['credit'], 'nothing is held');
        assert.equal((await requestOf(gateway, response)).status, 404);
      };

      test('are refused in every place of a request for a response', async (t) => {
        const tenants = await makeTenants(t, 'openai');
        const { id, output } = (await made(tenants.victim, '/v1/responses', { input: 'hello' })) as {
          id: string;
          output: { id: string }[];
        };
        const number = id.slice('resp_'.length);
        const [item, container] = [`msg_${number}`, `cntr_${number}`];
        assert.equal(output.length, 3);
        const content = (part: object): object => ({ input: [{ role: 'user', content: [part] }] });
        for (const [body, field] of [
          [{ input: [{ type: 'item_reference', id: item }] }, 'input[0]'],
          [{ input: [{ role: 'user', content: 'x' }, { id: item }] }, 'input[1]'],
          [{ input: [{ type: 'reasoning', id: `rs_${number}`, summary: [] }] }, 'input[0]'],
          [{ input: [{ type: 'image_generation_call', id: 'ig_1' }] }, 'input[0]'],
          [{ input: 'x', conversation: 'conv_1' }, 'conversation'],
          [{ input: 'x', conversation: { id: 'conv_1' } }, 'conversation.id'],
          [{ prompt: { id: 'pmpt_1' } }, 'prompt.id'],
          [{ input: 'x', tools: [{ type: 'code_interpreter', container }] }, 'tools[0].container'],
          [
            {
              input: 'x',
              tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: [`cfile_${number}`] } }],
            },
            'tools[0].container.file_ids[0]',
          ],
          [
            { input: 'x', tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
            'tools[0].vector_store_ids[0]',
          ],
          [content({ type: 'input_file', file_id: 'file_1' }), 'input[0].content[0].file_id'],
          [content({ type: 'input_image', file_id: 'file_1' }), 'input[0].content[0].file_id'],
        ] as const)
          await refused(tenants, '/v1/responses', body, field);
        const spelled = `{"model":"${tenants.attacker.model}","input":[{"type":"item\\u005freference","\\u0069d":"${item}"}]}`;
        assert.equal((await postChat(tenants.attacker, spelled, { path: '/v1/responses' })).status, 404);
        const previous = await call(tenants.attacker, '/v1/responses', { input: 'x', previous_response_id: id });
        await readError(previous, 404, 'not_found');
      });

      test('are refused in chat, speech, images, messages and generate-content, and where tokens are counted', async (t) => {
        const openai = await makeTenants(t, 'openai');
        const file = { role: 'user', content: [{ type: 'file', file: { file_id: 'file_1' } }] };
        await refused(openai, '/v1/chat/completions', { messages: [file] }, 'messages[0].content[0].file.file_id');
        await made(openai.victim, '/v1/chat/completions', {
          messages,
          modalities: ['text', 'audio'],
          audio: { voice: 'alloy', format: 'wav' },
        });
        await refused(
          openai,
          '/v1/chat/completions',
          { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }, ...messages] },
          'messages[0].audio.id',
        );

        await refused(openai, '/v1/audio/speech', { input: 'hello', voice: 'voice_of_the_victim' }, 'voice');
        const audio = { voice: 'voice_of_the_victim', format: 'wav' };
        await refused(openai, '/v1/chat/completions', { messages, audio }, 'audio.voice');

        const image = { prompt: 'a cat', images: [{ file_id: 'file_1' }] };
        await refused(openai, '/v1/images/edits', image, 'images[0].file_id');

        const anthropic = await makeTenants(t, 'anthropic');
        const tools = [{ type: 'code_execution_20250825', name: 'code_execution' }];
        const { container } = (await made(
          anthropic.victim,
          '/v1/messages',
          { messages, max_tokens: 9, tools },
          VERSION,
        )) as { container: { id: string } };
        for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
          const more = path === '/v1/messages' ? { max_tokens: 9 } : {};
          await refused(anthropic, path, { messages, ...more, container: container.id }, 'container');
          await refused(anthropic, path, { messages, ...more, container: { id: container.id } }, 'container.id');
          const source = {
            type: 'document',
            source: { type: 'file', file_id: container.id.replace('container', 'file') },
          };
          await refused(
            anthropic,
            path,
            { messages: [{ role: 'user', content: [source] }], ...more },
            'messages[0].content[0].source.file_id',
          );
        }

        const gemini = await makeTenants(t, 'gemini');
        const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
        for (const method of ['generateContent', 'streamGenerateContent', 'countTokens']) {
          const path = `/v1beta/models/${gemini.victim.model}:${method}`;
          await refused(gemini, path, { contents, cachedContent: 'cachedContents/1' }, 'cachedContent');
          const fileData = { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/1' };
          await refused(
            gemini,
            path,
            { contents: [{ role: 'user', parts: [{ fileData }] }] },
            'contents[0].parts[0].fileData.fileUri',
          );
        }
      });

      test('serve who made them, at the channel and key that did, whole and streamed', async (t) => {
        const { victim, sent } = await makeTenants(t, 'openai', { channels: [{}, {}] });
        for (let round = 0; round < 8; round++) {
          const stream = round % 2 === 1;
          await made(victim, '/v1/responses', { input: 'hello', stream, store: round % 4 < 2 });
          const first = sent().at(-1);
          const number = keeper.seen.indexOf(first as Seen) + 1;
          const named: object[] = [
            { input: [{ type: 'reasoning', id: `rs_${number}`, summary: [] }] },
            { input: 'x', tools: [{ type: 'code_interpreter', container: `cntr_${number}` }] },
          ];
          if (round % 4 < 2)
            named.push(
              { input: [{ type: 'item_reference', id: `msg_${number}` }] },
              { input: [{ id: `rs_${number}` }] },
            );
          for (const body of named) {
            await made(victim, '/v1/responses', body);
            assert.equal(sent().at(-1)?.key, first?.key, JSON.stringify(body));
            assert.equal(sent().at(-1)?.body['model'], first?.body['model']);
          }
        }
      });

      test('serve who made them in messages and chat, whole and streamed', async (t) => {
        const tools = [{ type: 'code_execution_20250825', name: 'code_execution' }];
        for (const stream of [false, true]) {
          const anthropic = await makeTenants(t, 'anthropic', { channels: [{}, {}] });
          await made(anthropic.victim, '/v1/messages', { messages, max_tokens: 9, tools, stream }, VERSION);
          const first = anthropic.sent().at(-1);
          const number = keeper.seen.indexOf(first as Seen) + 1;
          for (let again = 0; again < 4; again++) {
            await made(
              anthropic.victim,
              '/v1/messages',
              { messages, max_tokens: 9, container: `container_${number}` },
              VERSION,
            );
            assert.equal(anthropic.sent().at(-1)?.key, first?.key);
            const upload = { role: 'user', content: [{ type: 'container_upload', file_id: `file_${number}` }] };
            await made(anthropic.victim, '/v1/messages', { messages: [upload], max_tokens: 9 }, VERSION);
            assert.equal(anthropic.sent().at(-1)?.key, first?.key);
          }
          const openai = await makeTenants(t, 'openai', { channels: [{}, {}] });
          await made(openai.victim, '/v1/chat/completions', {
            messages,
            audio: { voice: 'alloy', format: 'wav' },
            stream,
          });
          const spoken = openai.sent().at(-1);
          const audio = { id: `audio_${keeper.seen.indexOf(spoken as Seen) + 1}` };
          await made(openai.victim, '/v1/chat/completions', { messages: [{ role: 'assistant', audio }, ...messages] });
          assert.equal(openai.sent().at(-1)?.key, spoken?.key);
        }
      });

      test('pass at a channel that shares what it keeps, for everybody', async (t) => {
        const { victim, attacker, sent } = await makeTenants(t, 'openai', {
          channels: [{ priority: 9 }, { options: { shared_objects: true } }],
        });
        for (const world of [victim, attacker]) {
          await made(world, '/v1/responses', {
            prompt: { id: 'pmpt_of_the_company' },
            tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }],
          });
          assert.match(String(sent().at(-1)?.body['model']), /\.1$/, 'and only there');
          await made(world, '/v1/responses', { input: 'hello' });
          assert.match(String(sent().at(-1)?.body['model']), /\.0$/);
        }
      });

      test('a channel of one account serves that account alone, and passes its ids', async (t) => {
        const { victim, attacker, sent } = await makeTenants(t, 'openai', { channels: [{}] });
        const [shared] = victim.channels;
        const own = await gateway.operator<{ id: string }>('PATCH', `/channels/${shared?.id}`, {
          options: { account_id: victim.account.id },
        });
        assert.equal(own.id, shared?.id);
        await made(victim, '/v1/responses', { input: 'x', conversation: 'conv_of_mine' });
        assert.equal(sent().at(-1)?.body['conversation'], 'conv_of_mine');
        await readError(await call(attacker, '/v1/responses', { input: 'x' }), 404, 'model_not_found');
        const listed = async (world: World): Promise<string> =>
          (await fetch(`${gateway.address}/v1/models`, { headers: { authorization: `Bearer ${world.key}` } })).text();
        assert.ok((await listed(victim)).includes(victim.model));
        assert.ok(!(await listed(attacker)).includes(victim.model));
        await assert.rejects(
          gateway.operator('PATCH', `/channels/${shared?.id}`, { options: { account_id: 'acc_nobody' } }),
          /400.*account_id/,
        );
      });

      test('requests that name nothing go as before, and full items keep their ids', async (t) => {
        const { attacker } = await makeTenants(t, 'openai');
        const input = [
          { role: 'user', content: 'x' },
          {
            type: 'message',
            id: 'msg_of_elsewhere',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'hi' }],
          },
          { type: 'reasoning', id: 'rs_of_elsewhere', summary: [], encrypted_content: 'gAAAAA' },
          { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"file_id":"file_1"}' },
          { type: 'function_call_output', call_id: 'c', output: '{"container":"cntr_1"}' },
        ];
        await made(attacker, '/v1/responses', { input, metadata: { file_id: 'file_1' } });
      });
    },
  );
}

async function makeOther(gateway: TestGateway, world: World): Promise<World> {
  const account = await makeAccount(gateway, { name: uniqueName('attacker'), credit: '100' });
  const { key, ...token } = await makeToken(gateway, { account_id: account.id });
  return { ...world, account, token, key };
}
