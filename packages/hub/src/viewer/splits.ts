import { rowFormatOf } from "@assay/contents"
import { AssayError } from "@assay/schemas"
import type { Storage, StoredFile } from "@assay/storage"

/** The only subset of a dataset: subsets are written in READMEs, which this hub does not read. */
export const CONFIG = "default"

/** Words of paths that name a split, as the documentation of the datasets library lists them. */
const SPLITS: Readonly<Record<string, readonly string[]>> = {
  train: ["train", "training"],
  validation: ["validation", "valid", "val", "dev"],
  test: ["test", "testing", "eval", "evaluation"],
}
const SPLIT_OF_WORD = new Map(Object.entries(SPLITS).flatMap(([split, words]) => words.map((word) => [word, split])))

/** The form of files of a split with a name of its own, such as `data/hard-00000-of-00003.parquet`. */
const NUMBERED = /(?:^|\/)([\w.]{1,100})-\d{5}-of-\d{5}[^/]*$/u

/** Files with rows that describe a dataset rather than belong to it. */
const DESCRIPTIONS = new Set(["dataset_infos.json", "dataset_info.json", "dataset_dict.json", "state.json"])

/** Maximum number of files of a dataset that are read as one list. */
const MAX_FILES = 20_000

/** The files of each split, in the order of their paths. */
export type Splits = ReadonlyMap<string, readonly StoredFile[]>

/** Lists the files of a dataset with rows, by split. @throws `too_large` */
export async function listSplits(storage: Storage, signal: AbortSignal): Promise<Splits> {
  const files: StoredFile[] = []
  for await (const file of storage.list({ signal })) {
    if (!isOfDataset(file.path)) continue
    if (files.push(file) <= MAX_FILES) continue
    const message = `The dataset has more than ${MAX_FILES} files with rows. Read single files at /apis/files/v2/…/rows.`
    throw new AssayError("too_large", message)
  }
  return groupBySplit(files)
}

function isOfDataset(path: string): boolean {
  const parts = path.split("/")
  if (parts.some((part) => part.startsWith(".") || part.startsWith("_"))) return false
  return rowFormatOf(path) !== undefined && !DESCRIPTIONS.has(parts.at(-1) ?? "")
}

/** Groups files by the split that their paths name. If no path names one, all files are `train`; else files without a split are left out. */
export function groupBySplit<File extends { readonly path: string }>(
  files: readonly File[],
): ReadonlyMap<string, readonly File[]> {
  const splits = new Map<string, File[]>([...Object.keys(SPLITS), ""].map((name) => [name, []]))
  for (const file of files) {
    const name = splitOf(file.path) ?? ""
    const known = splits.get(name) ?? []
    splits.set(name, known)
    known.push(file)
  }
  const others = splits.get("") ?? []
  splits.delete("")
  const named = [...splits].filter(([, some]) => some.length > 0)
  if (named.length > 0) return new Map(named)
  return new Map(others.length === 0 ? [] : [["train", others]])
}

/** Returns the split that the name of a file has as a word, or else the nearest of its folders. */
function splitOf(path: string): string | undefined {
  for (const part of path.split("/").toReversed()) {
    const word = part.split(/[^\p{L}\p{N}]+/u).find((one) => SPLIT_OF_WORD.has(one.toLowerCase()))
    if (word !== undefined) return SPLIT_OF_WORD.get(word.toLowerCase())
  }
  return NUMBERED.exec(path)?.[1]
}
