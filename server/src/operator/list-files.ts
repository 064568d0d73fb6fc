// Every list as a file: CSV or NDJSON with the same filters and all rows, read page by page as the client takes them
// (contract-2 10).
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { csvLine } from '../shared/csv-line.ts';
import type { Page } from './list-page.ts';

type Row = Record<string, unknown>;
type ListHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<Partial<Page<Row>>>;
type FileFormat = 'csv' | 'ndjson';

const PAGE_ROWS = 1000;
const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

const format = z.enum(['json', 'csv', 'ndjson']).optional().meta({
  description: 'csv or ndjson: a file of all rows, whatever the limit. Also by the header Accept',
});

/** Before the routes are registered. */
export function offerListFiles(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const columns = route.method === 'GET' ? columnsOf(route) : undefined;
    if (columns === undefined) return;
    const schema = route.schema as { querystring?: z.ZodObject };
    schema.querystring = (schema.querystring ?? z.strictObject({})).extend({ format });
    const handle = (route.handler as ListHandler).bind(app);
    route.handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { format: named, ...query } = request.query as Row;
      const wanted = (named as FileFormat | 'json' | undefined) ?? acceptedFormat(request.headers.accept);
      const page = (cursor: unknown, limit: unknown) =>
        handle(Object.create(request, { query: { value: { ...query, cursor, limit } } }) as FastifyRequest, reply);
      if (wanted === 'json') return page(query['cursor'], query['limit']);
      const first = await page(query['cursor'], PAGE_ROWS); // what is wrong is answered before the file begins
      const name = request.routeOptions.url?.split('/').findLast((part) => part !== '' && !part.startsWith(':'));
      reply.header('content-type', `${TYPES[wanted]}; charset=utf-8`);
      reply.header('content-disposition', `attachment; filename="${name ?? 'list'}.${wanted}"`);
      return reply.send(Readable.from(fileOf(wanted, columns, rowsOf(first, page))));
    };
  });
}

/** undefined where the answer is no list of objects. */
function columnsOf({ schema }: RouteOptions): string[] | undefined {
  const answer = (schema?.response as Record<number, unknown> | undefined)?.[200];
  const data = answer instanceof z.ZodObject ? answer.shape['data'] : undefined;
  const item = data instanceof z.ZodArray ? data.element : undefined;
  return item instanceof z.ZodObject ? Object.keys(item.shape) : undefined;
}

function acceptedFormat(accept: string | undefined): FileFormat | 'json' {
  const first = accept?.split(',')[0]?.split(';')[0]?.trim().toLowerCase();
  if (first === TYPES.csv) return 'csv';
  return first === TYPES.ndjson ? 'ndjson' : 'json';
}

async function* rowsOf(
  first: Partial<Page<Row>>,
  page: (cursor: string, limit: number) => Promise<Partial<Page<Row>>>,
): AsyncGenerator<Row[]> {
  let current = first;
  for (;;) {
    yield current.data ?? [];
    const cursor = current.next_cursor;
    if (typeof cursor !== 'string') return;
    current = await page(cursor, PAGE_ROWS);
  }
}

async function* fileOf(wanted: FileFormat, columns: string[], pages: AsyncIterable<Row[]>): AsyncGenerator<string> {
  if (wanted === 'csv') yield csvLine(columns);
  for await (const rows of pages) {
    const lines = rows.map((row) =>
      wanted === 'csv'
        ? csvLine(columns.map((name) => row[name]))
        : `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])))}\n`,
    );
    if (lines.length > 0) yield lines.join('');
  }
}
