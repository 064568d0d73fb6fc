// The file of `-o`: looked at before a call is made, because the call costs money and its answer comes once.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Refused } from './refused.ts';

export async function requireWritable(file: string): Promise<void> {
  const folder = dirname(resolve(file));
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory() === true) throw new Refused(`${file} is a folder: name a file.`);
  const folderThere = await stat(folder).catch(() => undefined);
  if (folderThere?.isDirectory() !== true) throw new Refused(`there is no folder ${folder} to write ${file} into.`);
  await access(there === undefined ? folder : file, constants.W_OK).catch(() => {
    throw new Refused(`${file} cannot be written: see who may write there.`);
  });
}
