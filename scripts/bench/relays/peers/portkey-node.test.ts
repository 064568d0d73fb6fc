import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { findPortkeyNode } from './portkey-node.ts';

test('Portkey gets the first Node 20 of the search path, or the Node of the run', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nodes-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const paths = ['v24.1.0', 'v20.9.9', 'v20.1.1'].map((version) => {
    const gateway = join(folder, version);
    mkdirSync(gateway);
    writeFileSync(join(gateway, 'node'), `#!/bin/sh\necho ${version}\n`);
    chmodSync(join(gateway, 'node'), 0o755);
    return gateway;
  });
  const found = findPortkeyNode(['', join(folder, 'nowhere'), ...paths].join(delimiter));
  assert.deepEqual(found, { program: join(folder, 'v20.9.9', 'node'), version: 'v20.9.9' });
  assert.deepEqual(findPortkeyNode(paths[0]), { program: process.execPath, version: process.version });
});
