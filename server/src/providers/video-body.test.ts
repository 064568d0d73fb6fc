import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formBody, jsonBody } from './video-body.ts';

test('a JSON body is the value, with its type', () => {
  const { contentType, bytes } = jsonBody({ prompt: 'a é' });
  assert.deepEqual([contentType, JSON.parse(bytes.toString())], ['application/json', { prompt: 'a é' }]);
});

test('a form body is read by others as it was written, texts and files', async () => {
  const file = { fileName: 'a "b".png', contentType: 'image/png', bytes: Buffer.from([0, 13, 10, 255]) };
  const { contentType, bytes } = formBody({ prompt: 'two\r\nlines', 'odd"name': 'x', input_reference: file });
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  assert.deepEqual([form.get('prompt'), form.get('odd"name')], ['two\r\nlines', 'x']);
  const read = form.get('input_reference');
  assert.ok(read instanceof File);
  assert.deepEqual([read.name, read.type], [file.fileName, file.contentType]);
  assert.deepEqual(Buffer.from(await read.arrayBuffer()), file.bytes);
});
