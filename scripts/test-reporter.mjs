// Node's own spec report, followed by the files that took longest and the one line that says how many tests passed and
// failed.
import { spec } from 'node:test/reporters';
import { relative } from 'node:path';
import { Transform } from 'node:stream';

const SLOWEST = 20;

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
    // A test names the file that called test(), which may be a helper; a file's own summary names the file.
    if (event.type === 'test:summary' && event.data.file !== undefined)
      this.#took.set(relative(process.cwd(), event.data.file), event.data.duration_ms);
    if (event.data?.details?.type === 'suite') {
      // A suite fails by itself only in its hooks; a failed test inside it is counted already.
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
