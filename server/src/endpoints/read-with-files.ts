// The JSON body of a text request, with files of the account in the place of their ids (contract-2 8).
import { inlineFiles } from '../files/inline-files.ts';
import { scanAhead } from '../protocols/json/json-request.ts';
import type { EndpointDependencies, Exchange } from './endpoint.ts';

export async function readWithFiles(
  { files }: EndpointDependencies,
  { readJson, principal, reserve }: Exchange,
): Promise<Buffer> {
  const body = await readJson();
  const inlined = await inlineFiles(files, { accountId: principal.accountId, reserve }, body);
  if (inlined !== body) await scanAhead(inlined);
  return inlined;
}
