// Node's own spec report, followed by the files that took longest and the one line that says how many tests passed and
// failed.
import { appendFileSync } from 'node:fs';
import { spec } from 'node:test/reporters';
import { relative } from 'node:path';
import { Transform } from 'node:stream';

const SLOWEST = 20;
/** Where the names of failed files are written, for the second run of them. */
const FAILED = process.env.TEST_FAILED_FILES;

function isWholeFile({ type, data }) {
  return (type === 'test:pass' || type === 'test:fail') && data.nesting === 0 && /^[\w/.-]+\.test\.ts$/.test(data.name);
}

export default class CountingReporter extends Transform {
  #spec = new spec();
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  #took = new Map();

  constructor() {
    super({ writableObjectMode: true });
    this.#spec.on('data', (chunk) => this.push(chunk));
  }

  _transform(event, _encoding, done) {
    const isFile = isWholeFile(event);
    // A test names the file that called test(), which may be a helper. A file's own summary names the file, and so does the
    // test that a file is where several share a process (test-batches.mjs).
    if (event.type === 'test:summary' && event.data.file?.endsWith('.test.ts'))
      this.#took.set(relative(process.cwd(), event.data.file), event.data.duration_ms);
    if (isFile) this.#took.set(event.data.name, event.data.details.duration_ms);
    // A process that ended before its time has the name of its program, which says that no file is known.
    if (event.type === 'test:fail' && event.data.nesting === 0 && FAILED !== undefined)
      appendFileSync(FAILED, `${event.data.name}\n`);
    if (isFile || event.data?.details?.type === 'suite') {
      // It fails by itself only when it is loaded and in its hooks; a failed test inside it is counted already.
      if (event.type === 'test:fail' && event.data.details.error?.failureType !== 'subtestsFailed') this.#failed++;
    } else {
      if (event.type === 'test:fail') this.#failed++;
      else if (event.type === 'test:pass' && event.data.skip !== undefined) this.#skipped++;
      else if (event.type === 'test:pass') this.#passed++;
    }
    this.#spec.write(event, done);
  }

  _flush(done) {
    this.#spec.end(() => {
      const slowest = [...this.#took].sort(([, one], [, other]) => other - one).slice(0, SLOWEST);
      if (this.#took.size > 1) {
        this.push(`\nslowest files, in seconds:\n`);
        for (const [file, took] of slowest) this.push(`${(took / 1000).toFixed(1).padStart(7)}  ${file}\n`);
      }
      const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
      this.push(`\n${this.#passed} passed, ${this.#failed} failed${skipped}\n`);
      done();
    });
  }
}
