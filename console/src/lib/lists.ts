// Lists of the operator API: one page at a time for tables, and whole for the choices of a form.
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { callApi, type Query } from './api-client.ts';

const PAGE_SIZE = 50;
/** Forms offer this many choices at most; beyond that people type. */
const MOST_CHOICES = 2000;

type ListSchema<Item> = z.ZodType<{ data: Item[]; next_cursor: string | null }>;

export interface Pages<Item> {
  rows: Item[] | undefined;
  error: Error | null;
  loading: boolean;
  /** A page is on its way while the one before is still shown. */
  turning: boolean;
  page: number;
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
  retry(): void;
}

export interface PageQuery<Item> {
  path: string;
  schema: ListSchema<Item>;
  filters?: Query;
  /** Milliseconds between looking again by itself. */
  refreshEvery?: number | ((rows: readonly Item[]) => number);
  pageSize?: number;
}

/** Keyset paging: where each page began is remembered, so that one can go back. */
export function usePages<Item>({
  path,
  schema,
  filters = {},
  refreshEvery,
  pageSize = PAGE_SIZE,
}: PageQuery<Item>): Pages<Item> {
  const filtered = JSON.stringify(filters);
  const [trail, setTrail] = useState<{ filtered: string; cursors: string[] }>({ filtered, cursors: [] });
  const cursors = trail.filtered === filtered ? trail.cursors : [];
  const cursor = cursors.at(-1);
  const query = useQuery({
    queryKey: [path, 'page', filters, pageSize, cursor ?? null],
    queryFn: ({ signal }) => callApi('GET', path, { schema, query: { ...filters, limit: pageSize, cursor }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      typeof refreshEvery === 'function' ? refreshEvery(data?.data ?? []) : (refreshEvery ?? false),
  });
  const following = query.data?.next_cursor ?? null;
  const go = (next: string[]) => setTrail({ filtered, cursors: next });
  return {
    rows: query.data?.data,
    error: query.error,
    loading: query.isPending,
    turning: query.isPlaceholderData,
    page: cursors.length + 1,
    next: following === null ? undefined : () => go([...cursors, following]),
    previous: cursors.length === 0 ? undefined : () => go(cursors.slice(0, -1)),
    retry: () => void query.refetch(),
  };
}

export function wholeList<Item>(path: string, schema: ListSchema<Item>) {
  return queryOptions({
    queryKey: [path, 'whole'],
    queryFn: async ({ signal }): Promise<Item[]> => {
      const items: Item[] = [];
      let cursor: string | null = null;
      do {
        const page: { data: Item[]; next_cursor: string | null } = await callApi('GET', path, {
          schema,
          query: { limit: 200, cursor },
          signal,
        });
        items.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor !== null && items.length < MOST_CHOICES);
      return items;
    },
  });
}

/** Everything read from these paths is read again when next shown. */
export async function forget(client: QueryClient, ...paths: string[]): Promise<void> {
  await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })));
}
