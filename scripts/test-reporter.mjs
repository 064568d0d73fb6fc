// Node's own spec report, followed by the one line that says how many tests passed and failed.
import { spec } from 'node:test/reporters';
import { Transform } from 'node:stream';

export default class CountingReporter extends Transform {
  #spec = new spec();
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  constructor() {
    super({ writableObjectMode: true });
    this.#spec.on('data', (chunk) => this.push(chunk));
  }

  _transform(event, _encoding, done) {
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
      const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
      this.push(`\n${this.#passed} passed, ${this.#failed} failed${skipped}\n`);
      done();
    });
  }
}
