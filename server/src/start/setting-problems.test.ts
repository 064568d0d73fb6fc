import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingProblems } from './setting-problems.ts';

test('all that is wrong with the settings is said at once, each once (contract-2 11)', () => {
  assert.deepEqual(settingProblems({ PORT: '0' }), []);
  const problems = settingProblems({
    TOLLGATE_FOO: '1',
    PORT: 'x',
    LOG_LEVEL: 'y',
    TOLLGATE_SECRET_FILE: '/no/such/file',
    HTTPS_PROXY: 'no address',
    TOLLGATE_WORKERS: '2',
  });
  assert.deepEqual(
    problems.map((sentence) => sentence.split(' ')[0] ?? '').toSorted((a, b) => a.localeCompare(b)),
    ['HTTPS_PROXY', 'LOG_LEVEL', 'PORT', 'TOLLGATE_FOO', 'TOLLGATE_SECRET_FILE'],
  );
});

test('what is missing only because it is wrong is not said to be missing', () => {
  const problems = settingProblems({ DATABASE_URL: 'mysql://x', DATABASE_READ_URL: 'postgres://x/y' });
  assert.deepEqual(
    problems.map((sentence) => sentence.split(' ')[0]),
    ['DATABASE_URL'],
  );
  const unsaid = settingProblems({ TOLLGATE_OIDC_ISSUER: 'https://issuer.example' });
  assert.match(unsaid.join('\n'), /^TOLLGATE_OIDC_CLIENT_ID must be set with TOLLGATE_OIDC_ISSUER\.$/);
});

test('a setting that lacks another hides nothing of what is wrong behind it', () => {
  const problems = settingProblems({
    TOLLGATE_OIDC_ISSUER: 'https://id.example',
    TOLLGATE_BODY_DAYS: 'x',
    LOG_LEVEL: 'bad',
  });
  const named = problems.map((sentence) => sentence.split(/\W/)[0]);
  assert.deepEqual(
    named.toSorted((a = '', b = '') => a.localeCompare(b)),
    ['LOG_LEVEL', 'TOLLGATE_BODY_DAYS', 'TOLLGATE_OIDC_CLIENT_ID'],
    problems.join('\n'),
  );
});
