// What ends a command with exit code 1 and one sentence that says what is wrong and what to do.
export class Refused extends Error {}
