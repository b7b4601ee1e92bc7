import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { digest } from '@palimpsest/core';
import {
  type DigestFunction,
  newDigestText,
  type TextMaker,
  writeNewestText,
  writeRarestLines,
} from '@palimpsest/measure';
import { WrongArgs } from '../bench.ts';
import { findHalf } from '../recordings.ts';

/** Turn on when the options of `digest()` have `beside`. */
const OUR_DIGEST_TAKES_BESIDE = false;
const DEFAULT_CHARS = '3000,12000,24000';

export interface KeepsOptions {
  readonly folder: string;
  readonly chars: readonly number[];
  readonly isWanted: (project: string) => boolean;
  /** A checkout whose digest gets a row. */
  readonly beside?: string;
}

export const KEEPS_OPTIONS = ['beside', 'projects', 'half', 'chars'] as const;

export function readKeepsOptions(args: readonly string[]): KeepsOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      beside: { type: 'string' },
      projects: { type: 'string' },
      half: { type: 'string' },
      chars: { type: 'string', default: DEFAULT_CHARS },
    },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new WrongArgs('Say where recorded sessions are: npm run bench -- keeps FOLDER.');
  if (!existsSync(folder)) throw new WrongArgs(`There is no folder ${folder}.`);
  const { beside, half, projects } = values;
  if (half !== undefined && half !== 'first' && half !== 'second')
    throw new WrongArgs('--half is "first" or "second".');
  const chars = values.chars.split(',').map(Number);
  if (chars.some((size) => !Number.isInteger(size) || size < 1))
    throw new WrongArgs('--chars is a list of whole numbers, such as 3000,12000.');
  const wanted = projects?.split(',');
  return {
    folder,
    chars,
    isWanted: (project) =>
      (wanted === undefined || wanted.some((part) => project.includes(part))) &&
      (half === undefined || (findHalf(project) === 'design') === (half === 'first')),
    ...(beside === undefined ? {} : { beside }),
  };
}

/** What can write a text for the past, by the name of its row. */
export interface Writers {
  readonly all: Readonly<Record<string, TextMaker>>;
  /** The digests with their section of the user's words. */
  readonly withUser: Readonly<Record<string, TextMaker>>;
}

export async function loadWriters({ beside }: KeepsOptions): Promise<Writers> {
  const other = beside === undefined ? undefined : await loadDigest(beside);
  const makeDigests = (withUser: boolean): Readonly<Record<string, TextMaker>> => ({
    digest: newDigestText(digest, { takesBeside: OUR_DIGEST_TAKES_BESIDE, withUser }),
    ...(other === undefined ? {} : { 'digest of --beside': newDigestText(other, { withUser }) }),
  });
  return {
    all: { ...makeDigests(false), 'newest text': writeNewestText, 'rarest lines of each source': writeRarestLines },
    withUser: makeDigests(true),
  };
}

async function loadDigest(checkout: string): Promise<DigestFunction> {
  const file = resolve(join(checkout, 'packages/core/src/index.ts'));
  if (!existsSync(file))
    throw new WrongArgs(`--beside ${checkout} is no checkout: it has no packages/core/src/index.ts.`);
  const module = (await import(pathToFileURL(file).href)) as { readonly digest: DigestFunction };
  return module.digest;
}
