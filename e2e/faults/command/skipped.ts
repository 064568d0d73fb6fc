// A fault that cannot be made on this machine.

/** Thrown by a fault that cannot be made here: visible in the report, and no failure. */
export class Skipped extends Error {
  override name = 'Skipped';
}
