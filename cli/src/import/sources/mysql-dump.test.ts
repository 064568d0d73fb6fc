import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openMysqlDump } from './mysql-dump.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-dump-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const open = (text: string) => {
  const path = join(folder, 'dump.sql');
  writeFileSync(path, text);
  return openMysqlDump(path, { kept: ['a'], summed: ['quota'] });
};

test('statements end at semicolons outside of quotes; values are unescaped as MySQL escapes them', async () => {
  const source = await open(`-- a comment; with a semicolon and a 'quote
/*!40101 SET NAMES utf8 */;
CREATE TABLE \`a\` (
  \`id\` int NOT NULL,
  \`text\` longtext COMMENT 'one; two',
  PRIMARY KEY (\`id\`),
  KEY \`idx_text\` (\`text\`)
) ENGINE=InnoDB;
INSERT INTO \`a\` VALUES (1,'it\\'s; a \\"line\\"\\nand (more), \\\\'),(2,NULL),
(3,'two ''quotes'''),(-4.5,_binary 'raw'),(0x1F,'');
INSERT INTO \`db\`.\`a\` (\`text\`, \`id\`) VALUES ('named', 9);
`);
  assert.deepEqual(await source.columns('a'), ['id', 'text']);
  assert.deepEqual(await source.rows('a'), [
    { id: '1', text: 'it\'s; a "line"\nand (more), \\' },
    { id: '2', text: null },
    { id: '3', text: "two 'quotes'" },
    { id: '-4.5', text: 'raw' },
    { id: '0x1F', text: '' },
    { text: 'named', id: '9' },
  ]);
});

test('of other tables only the count and the sums are kept', async () => {
  const source = await open(`CREATE TABLE \`logs\` (\n \`id\` int,\n \`quota\` int\n);
INSERT INTO \`logs\` VALUES (1,100),(2,-30);\nINSERT INTO \`logs\` VALUES (3,NULL);\n`);
  assert.deepEqual([await source.count('logs'), await source.sum('logs', 'quota')], [3, 70n]);
  assert.deepEqual([await source.rows('logs'), await source.count('none')], [[], 0]);
});
