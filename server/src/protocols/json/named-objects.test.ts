import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../../errors/gateway-error.ts';
import { scanJsonObject } from '../../shared/json-fields.ts';
import { namedObjects } from './named-objects.ts';

function named(body: object | string, items = false): string[] {
  const json = scanJsonObject(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
  return namedObjects(json, { items }).map(({ field, id, soft }) => `${field}=${id}${soft ? ' soft' : ''}`);
}

const respond = (body: object | string): string[] => named(body, true);

describe('objects that a request names are found wherever vendors take them (contract-2 7)', () => {
  test('in a request for a response', () => {
    assert.deepEqual(respond({ conversation: 'conv_1' }), ['conversation=conv_1']);
    assert.deepEqual(respond({ conversation: { id: 'conv_1' } }), ['conversation.id=conv_1']);
    assert.deepEqual(respond({ prompt: { id: 'pmpt_1', variables: { pic: { type: 'input_image', file_id: 'f' } } } }), [
      'prompt.id=pmpt_1',
      'prompt.variables.pic.file_id=f',
    ]);
    const tools = [
      { type: 'file_search', vector_store_ids: ['vs_1', 'vs_2'] },
      { type: 'code_interpreter', container: 'cntr_1' },
      { type: 'code_interpreter', container: { type: 'auto', file_ids: ['file_1'] } },
      { type: 'image_generation', input_image_mask: { file_id: 'file_2' } },
      { type: 'shell', environment: { type: 'container_reference', container_id: 'cntr_2' } },
      {
        type: 'shell',
        environment: { skills: [{ type: 'skill_reference', skill_id: 'skill_1' }, { skill_id: 'pptx' }] },
      },
    ];
    assert.deepEqual(respond({ input: 'x', tools }), [
      'tools[0].vector_store_ids[0]=vs_1',
      'tools[0].vector_store_ids[1]=vs_2',
      'tools[1].container=cntr_1',
      'tools[2].container.file_ids[0]=file_1',
      'tools[3].input_image_mask.file_id=file_2',
      'tools[4].environment.container_id=cntr_2',
      'tools[5].environment.skills[0].skill_id=skill_1',
    ]);
    const content = [
      { type: 'input_file', file_id: 'file_1' },
      { type: 'input_image', file_id: 'file_2' },
    ];
    assert.deepEqual(
      respond({
        input: [
          { role: 'user', content },
          { type: 'function_call_output', call_id: 'c', output: content },
        ],
      }),
      [
        'input[0].content[0].file_id=file_1',
        'input[0].content[1].file_id=file_2',
        'input[1].output[0].file_id=file_1',
        'input[1].output[1].file_id=file_2',
      ],
    );
  });

  test('items that stand for others, with and without a type, and those whose rest is looked up', () => {
    const input = [
      { type: 'item_reference', id: 'a' },
      { id: 'b' },
      { id: 'c', type: null },
      { type: 'reasoning', id: 'd', summary: [] },
      { type: 'reasoning', id: 'e', summary: [], encrypted_content: null },
      { type: 'image_generation_call', id: 'f' },
      { id: 'g', content: null },
      { id: 'h', role: null },
      { type: 'reasoning', id: 'no', summary: [], encrypted_content: 'gAAAA' },
      { type: 'image_generation_call', id: 'no', result: 'iVBOR' },
      { type: 'message', id: 'no', role: 'assistant', content: [] },
      { id: 'no', role: 'assistant', content: 'x' },
      { type: 'function_call', id: 'no', call_id: 'x', name: 'f', arguments: '{}' },
    ];
    assert.deepEqual(respond({ input }), [
      'input[0]=a',
      'input[1]=b',
      'input[2]=c',
      'input[3]=d soft',
      'input[4]=e soft',
      'input[5]=f soft',
      'input[6]=g',
      'input[7]=h',
    ]);
  });

  test('in chat, messages, images and generate-content', () => {
    assert.deepEqual(
      named({
        messages: [
          { role: 'user', content: [{ type: 'file', file: { file_id: 'file_1' } }] },
          { role: 'assistant', audio: { id: 'audio_1' } },
        ],
      }),
      ['messages[0].content[0].file.file_id=file_1', 'messages[1].audio.id=audio_1'],
    );
    assert.deepEqual(named({ audio: { format: 'wav', voice: { id: 'voice_1' } } }), ['audio.voice.id=voice_1']);
    assert.deepEqual(named({ audio: { format: 'wav', voice: 'voice_1' } }), ['audio.voice=voice_1']);
    assert.deepEqual(named({ audio: { format: 'wav', voice: 'alloy' } }), []);
    const source = { type: 'file', file_id: 'file_1' };
    assert.deepEqual(
      named({
        container: { id: 'container_1', skills: [{ type: 'custom', skill_id: 'skill_1' }] },
        messages: [
          {
            role: 'user',
            content: [
              { type: 'document', source },
              { type: 'container_upload', file_id: 'file_2' },
            ],
          },
        ],
      }),
      [
        'container.id=container_1',
        'container.skills[0].skill_id=skill_1',
        'messages[0].content[0].source.file_id=file_1',
        'messages[0].content[1].file_id=file_2',
      ],
    );
    assert.deepEqual(named({ container: 'container_1' }), ['container=container_1']);
    assert.deepEqual(named({ prompt: 'a cat', images: [{ file_id: 'file_1' }], mask: { file_id: 'file_2' } }), [
      'images[0].file_id=file_1',
      'mask.file_id=file_2',
    ]);
    for (const name of ['cachedContent', 'cached_content'])
      assert.deepEqual(named({ [name]: 'cachedContents/1' }), [`${name}=cachedContents/1`]);
    assert.deepEqual(named({ tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }] }), [
      'tools[0].fileSearch.fileSearchStoreNames[0]=fileSearchStores/1',
    ]);
    assert.deepEqual(
      named({ tools: [{ retrieval: { vertex_rag_store: { rag_resources: [{ rag_corpus: 'c' }] } } }] }),
      ['tools[0].retrieval.vertex_rag_store.rag_resources[0].rag_corpus=c'],
    );
  });

  test('files of the vendor and of buckets count, addresses that are open to everybody do not', () => {
    const uri = (fileUri: string): string[] => named({ contents: [{ parts: [{ fileData: { fileUri } }] }] });
    for (const kept of [
      'https://generativelanguage.googleapis.com/v1beta/files/abc',
      'HTTPS://GenerativeLanguage.googleapis.com./v1beta/files/abc',
      'https://storage.googleapis.com/bucket/x.pdf',
      'http://127.0.0.1:9/v1beta/files/abc',
      'files/abc',
      'gs://bucket/x.pdf',
    ])
      assert.equal(uri(kept).length, 1, kept);
    for (const open of [
      'https://www.youtube.com/watch?v=1',
      'https://example.com/files.pdf',
      'data:image/png;base64,xx',
    ])
      assert.deepEqual(uri(open), [], open);
  });

  test('however a name is spelled', () => {
    for (const name of ['file\\u005fid', '\\u0066ile_id', 'FILE_ID', 'fileId'])
      assert.equal(named(`{"messages":[{"content":[{"file":{"${name}":"file_1"}}]}]}`).length, 1, name);
    for (const item of [
      '{"type":"item\\u005freference","id":"a"}',
      '{"\\u0069d":"a"}',
      '{"type":"item_reference","id":"a","type":"message","role":"user"}',
    ])
      assert.deepEqual(respond(`{"input":[${item}]}`), ['input[0]=a'], item);
    assert.deepEqual(respond('{"input":[{"id":"mine","type":"item_reference","id":"theirs"}]}'), [
      'input[0]=mine',
      'input[0]=theirs',
    ]);
  });

  test("what is the caller's own is no object: arguments, schemas, metadata, texts", () => {
    const free = { file_id: 'x', container: 'x', vector_store_ids: ['x'], id: 'x' };
    assert.deepEqual(
      named({ messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', input: free }] }] }),
      [],
    );
    assert.deepEqual(
      named({ contents: [{ parts: [{ functionCall: { args: free } }, { functionResponse: { response: free } }] }] }),
      [],
    );
    assert.deepEqual(
      respond({ input: 'x', metadata: free, tools: [{ type: 'function', parameters: { properties: free } }] }),
      [],
    );
    assert.deepEqual(named({ messages: [{ role: 'user', content: '"file_id":"x"' }], file_id: '' }), []);
    assert.deepEqual(
      respond({
        input: [{ role: 'user', content: [{ type: 'input_text', text: '{"type":"item_reference","id":"x"}' }] }],
      }),
      [],
    );
  });

  test('a request with more than any vendor takes is refused', () => {
    const input = Array.from({ length: 2_001 }, (_, index) => ({ id: `item_${index}` }));
    assert.throws(() => respond({ input }), /more than 2000/);
  });

  test('a text that is longer than any id is refused by its field and never decoded (contract-2 7)', () => {
    const long = 'x'.repeat(1_001);
    const refused = (body: object, param: string): void =>
      assert.throws(
        () => respond(body),
        (error) => error instanceof GatewayError && error.code === 'invalid_request' && error.details.param === param,
        param,
      );
    const escaped = (count: number) => named(`{"container":"${'\\u0061'.repeat(count)}"}`);
    assert.deepEqual(named({ container: 'x'.repeat(1_000) }), [`container=${'x'.repeat(1_000)}`]);
    assert.deepEqual(escaped(166), [`container=${'a'.repeat(166)}`]);
    assert.throws(() => escaped(167), /'container' is longer/);
    refused({ container: long }, 'container');
    refused({ tools: [{ vector_store_ids: ['vs_1', long] }] }, 'tools[0].vector_store_ids[1]');
    refused({ input: [{ type: 'item_reference', id: long }] }, 'input[0]');
    refused(
      { input: [{ role: 'user', content: [{ fileData: { fileUri: 'x'.repeat(20_000) } }] }] },
      'input[0].content[0].fileData.fileUri',
    );
    assert.deepEqual(respond({ input: [{ type: 'message', role: 'user', content: 'x', id: long }] }), []);
    assert.deepEqual(respond({ input: [{ type: long, role: 'user', content: 'x', id: 'a' }] }), []);
    assert.deepEqual(
      named({ contents: [{ fileData: { fileUri: `data:image/png;base64,${'A'.repeat(20_000)}` } }] }),
      [],
    );
    assert.deepEqual(named({ contents: [{ fileData: { fileUri: `https://example.com/${long}` } }] }), []);
  });

  test('texts of any length and form between them are passed by, also where the scan knows their ends', () => {
    const texts = [
      '\\"'.repeat(40),
      '\\"'.repeat(30_000),
      `${'x'.repeat(63)}\\\\`,
      `${'x'.repeat(300)}\\"`.repeat(9),
      '\\\\'.repeat(33),
      '',
    ];
    for (const text of texts)
      for (const more of [0, 2 * 1024 * 1024]) {
        const body = `{"messages":[{"text":"${text}","file_id":"a"},"${text}"],"more":"${'x'.repeat(more)}","container":"b"}`;
        assert.deepEqual(named(body), ['messages[0].file_id=a', 'container=b'], `${text.slice(0, 9)} ${more}`);
      }
  });
});
