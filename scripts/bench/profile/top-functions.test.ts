import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInspector } from './record-profile.ts';
import { topFunctions } from './top-functions.ts';

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 9 });

test('functions are ordered by their own time, of all time in which there was work', () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('relay', 'file:///x/dist/server/src/relay/relay-request.js') },
      { id: 3, callFrame: frame('', 'node:net') },
    ],
    samples: [1, 2, 3, 2],
    timeDeltas: [900, 50, 25, 25],
  };
  assert.deepEqual(topFunctions(profile, 5), [
    { name: 'relay  server/src/relay/relay-request.js:10', percent: 75 },
    { name: '(anonymous)  node:net:10', percent: 25 },
  ]);
  assert.equal(topFunctions(profile, 1).length, 1);
});

test("the inspector's address is found among the words of the process", () => {
  const words = 'x\nDebugger listening on ws://127.0.0.1:4242/ab-cd\nFor help, see: https://nodejs.org\n';
  assert.equal(findInspector(words), 'ws://127.0.0.1:4242/ab-cd');
  assert.equal(findInspector(''), undefined);
});
