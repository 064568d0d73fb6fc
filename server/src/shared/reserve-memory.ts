// How work asks for memory before it takes it. Here because files, the relay, endpoints and the HTTP server all use it.

/** Gives all of it back, or all but this much. */
export type Release = (kept?: number) => void;

/** Waits for so much memory. `lasting`: how much of it is still needed once the work is done. */
export type Reserve = (bytes: number, lasting?: number) => Promise<Release>;
