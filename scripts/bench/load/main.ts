// The load generator, a process of its own so that its work is not counted as anybody else's.
// It takes one job at a time from the benchmark and answers with the result.
import type { LoadJob, LoadMessage } from './job.ts';
import { runJob } from './run-job.ts';

function tell(message: LoadMessage): void {
  process.send?.(message);
}

process.on('message', (job: LoadJob) => {
  runJob(job, () => tell({ type: 'open' })).then(
    (result) => tell({ type: 'done', result }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
tell({ type: 'ready' });
