import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as whole from 'undici';
import { Agent, buildConnector, errors, Pool } from './undici.ts';

test('the parts that are loaded by themselves are those of the library', () => {
  assert.equal(Agent, whole.Agent);
  assert.equal(Pool, whole.Pool);
  assert.equal(buildConnector, whole.buildConnector);
  assert.equal(errors, whole.errors);
});
