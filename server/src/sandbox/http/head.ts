// The head of a request, as protocols and the HTTP part of the sandbox see it.
import type { IncomingHttpHeaders } from 'node:http';

/** What the head of a request tells; the path is the whole one, without the query. */
export type Head = { path: string; query: URLSearchParams; headers: IncomingHttpHeaders };
