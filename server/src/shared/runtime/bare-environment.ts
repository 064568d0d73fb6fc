// The environment of a process beside this one: no secret, only where this one keeps its compiled code, if it keeps any.

export function bareEnvironment(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
