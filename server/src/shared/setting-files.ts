// `X_FILE` names the file that holds the value of the setting `X`: how containers are given their secrets.
import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingFilesDependencies {
  isSetting(name: string): boolean;
  refuse(sentence: string): never;
}

const FILE = '_FILE';

/** The environment with the values in place of the names of their files. */
export function withFiles(given: Environment, { isSetting, refuse }: SettingFilesDependencies): Environment {
  const environment = { ...given };
  for (const [name, file] of Object.entries(given)) {
    const setting = name.endsWith(FILE) ? name.slice(0, -FILE.length) : '';
    if (file === undefined || !isSetting(setting)) continue;
    delete environment[name];
    if (file.trim() === '') continue;
    if (given[setting] !== undefined) refuse(`${setting} and ${name} are both set; set one of them.`);
    try {
      environment[setting] = readFileSync(file.trim(), 'utf8').trim();
    } catch (error) {
      refuse(`${name} names a file that cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    }
  }
  return environment;
}
