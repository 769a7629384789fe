import { quotePath } from "@assay/storage/paths"
import type { OpenedDataset } from "../job-environment.ts"
import { datasetMissingError } from "./dataset-missing-error.ts"

const SHOWN = 8

/**
 * The files whose path names the split as a word: `data/test-00000.parquet` and `test/rows.jsonl` are of `test`. A dataset of one file
 * is of any.
 * @throws `dataset_missing`
 */
export function pathsOfSplit({ paths, pin }: OpenedDataset, split: string | undefined): OpenedDataset["paths"] {
  if (split === undefined || paths.length === 1) return paths
  const found = paths.filter((path) => path.split(/[^\p{L}\p{N}]+/u).includes(split))
  if (found.length > 0) return found
  const names = paths.slice(0, SHOWN).map(quotePath).join(", ")
  throw datasetMissingError(pin.files_url, split, { what: `it has no file of the split '${split}', but ${names}` })
}
