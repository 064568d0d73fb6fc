// What ends a command with exit code 1 and one sentence that says what is wrong and what to do.
export class Refused extends Error {
  /** Of the gateway's answer, where one was refused. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
