// Makes JSON schemas of the published types with the compiler that is here already, and keeps them beside the packages until a
// package or this code changes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API } from 'typescript/unstable/sync';
import { type JsonSchema, SchemaMaker } from './type-to-schema.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../../../..');
const CACHE = join(ROOT, 'node_modules/.cache/vendor-schemas');
const TYPES = join(HERE, 'published-types.ts');
const PACKAGES = ['openai', '@anthropic-ai/sdk', '@google/genai', 'cohere-ai', 'typescript'];

export interface VendorSchemas {
  $defs: Record<string, JsonSchema>;
}

let known: VendorSchemas | undefined;

/** `$defs.PublishedTypes` has a property for each name. */
export function vendorSchemas(): VendorSchemas {
  return (known ??= readOrMake());
}

function readOrMake(): VendorSchemas {
  const file = join(CACHE, `${cacheKey()}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as VendorSchemas;
  } catch {
    const made = makeSchemas();
    // Several processes may be here at once: each renames a whole file.
    const own = join(CACHE, `${process.pid}.tmp`);
    writeFileSync(own, JSON.stringify(made));
    renameSync(own, file);
    return made;
  }
}

function cacheKey(): string {
  const hash = createHash('sha256');
  for (const name of PACKAGES) {
    const manifest = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
    hash.update(`${name} ${(JSON.parse(manifest) as { version: string }).version}\n`);
  }
  for (const file of ['published-types.ts', 'type-to-schema.ts', 'make-schemas.ts'])
    hash.update(readFileSync(join(HERE, file)));
  return hash.digest('hex').slice(0, 32);
}

/** A project of one file: the whole repository would take ten times as long. */
function makeSchemas(): VendorSchemas {
  mkdirSync(CACHE, { recursive: true });
  const config = join(CACHE, 'tsconfig.json');
  const compilerOptions = {
    target: 'esnext',
    lib: ['esnext', 'dom'],
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    allowImportingTsExtensions: true,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [TYPES] }));
  const compiler = new API({ cwd: ROOT });
  try {
    const project = compiler.updateSnapshot({ openProjects: [config] }).getProject(config);
    const source = project?.program.getSourceFile(TYPES);
    if (project === undefined || source === undefined) throw new Error(`the compiler does not open ${TYPES}`);
    const { checker } = project;
    const file = checker.getSymbolAtLocation(source);
    const list = file
      ?.getExports()
      .values()
      .find(({ name }) => name === 'PublishedTypes');
    if (list === undefined) throw new Error(`no PublishedTypes in ${TYPES}`);
    const maker = new SchemaMaker(checker);
    maker.make(checker.getDeclaredTypeOfSymbol(list));
    return { $defs: maker.$defs };
  } finally {
    compiler.close();
  }
}
