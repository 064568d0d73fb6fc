// Contract-2 8: what a turn of a kept conversation adds is known without putting it into a request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readResponse } from '../index.ts';
import { conversationOf, continueFrom } from './continue-response.ts';
import type { KeptResponse } from './kept-response.ts';
import { turnSize } from './turn-size.ts';

const PICTURE = `data:image/png;base64,${'iVBO'.repeat(1_000)}`;
const answer = (text: string): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const turn = (input: object[], output: object[]): KeptResponse =>
  ({ input, response: { id: 'resp_reqA', output } }) as unknown as KeptResponse;

const TURNS: Record<string, KeptResponse> = {
  'plain text': turn([{ id: 'msg_1', role: 'user', content: 'My name is Ann' }], [answer('Hi "Ann"\n')]),
  'long text': turn([{ role: 'user', content: 'Grüezi \u{1f600} '.repeat(2_000) }], []),
  'a picture': turn([{ role: 'user', content: [{ type: 'input_image', image_url: PICTURE }] }], [answer('A cat')]),
  'reasoning that cannot be shown again': turn([], [{ id: 'rs_1', type: 'reasoning', summary: [] }, answer('Yes')]),
};

for (const [name, kept] of Object.entries(TURNS))
  test(`the size of a turn is what a request grows by (contract-2 8): ${name}`, () => {
    for (const chain of [[kept], [kept, kept, kept]]) {
      const body = Buffer.from(' {"model":"m", "previous_response_id":"resp_reqA", "input":"And \\u00e4?"}');
      const alone = readResponse(continueFrom(body, []));
      const whole = readResponse(continueFrom(body, conversationOf(chain)));
      const { inputBytes, mediaCount } = turnSize(kept);
      assert.equal(whole.inputBytes - alone.inputBytes, chain.length * inputBytes);
      assert.equal(whole.mediaCount - alone.mediaCount, chain.length * mediaCount);
    }
  });

test('a turn that has nothing to say again adds no more than a comma', () => {
  const { inputBytes, mediaCount } = turnSize(turn([], []));
  assert.ok(inputBytes <= 1 && mediaCount === 0);
});
