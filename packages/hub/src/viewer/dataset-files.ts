import { rowFormatOf } from "@assay/contents"
import type { ViewerParquet, ViewerSize } from "@assay/schemas"
import type { StoredFile } from "@assay/storage"
import type { Static } from "@sinclair/typebox"
import { repositoryUrl } from "../hub-address.ts"
import { type createOpenSplit, splitsOf, type ViewedDataset } from "./open-split.ts"
import { countFiles } from "./split-rows.ts"
import { CONFIG } from "./splits.ts"

type SplitSize = Static<typeof ViewerSize>["size"]["splits"][number]

/** Names a split of a dataset. */
export function partOf({ dataset }: ViewedDataset, split: string) {
  return { dataset, config: CONFIG, split } as const
}

/** Measures files and counts rows of each split, and of all. */
export async function measureSplits(
  viewed: ViewedDataset,
  openSplit: ReturnType<typeof createOpenSplit>,
): Promise<Static<typeof ViewerSize>> {
  const splits = await splitsOf(viewed)
  const parts: SplitSize[] = []
  for (const name of splits.keys()) {
    const split = await openSplit(viewed, splits, name)
    const num_rows = sum(await countFiles(viewed, split))
    parts.push({ ...partOf(viewed, name), ...bytesOf(split.files), num_rows, num_columns: split.features.length })
  }
  return { size: { ...totalOf(viewed, parts), splits: parts }, pending: [], failed: [], partial: false }
}

/** Lists the Parquet files that a dataset has itself. @param hub the URL of the hub */
export async function listParquetFiles(viewed: ViewedDataset, hub: string): Promise<Static<typeof ViewerParquet>> {
  const below = `${repositoryUrl(hub, "datasets", viewed.dataset)}/resolve/main`
  const parquet_files = [...(await splitsOf(viewed))].flatMap(([split, files]) =>
    files.filter(isParquet).map(({ path, size }) => ({
      ...partOf(viewed, split),
      url: `${below}/${path.split("/").map(encodeURIComponent).join("/")}`,
      filename: path.slice(path.lastIndexOf("/") + 1),
      size,
    })),
  )
  return { parquet_files, pending: [], failed: [], partial: false }
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function isParquet({ path }: StoredFile): boolean {
  return rowFormatOf(path)?.encoding === "parquet"
}

function bytesOf(files: readonly StoredFile[]) {
  return {
    num_bytes_original_files: sum(files.map(({ size }) => size)),
    num_bytes_parquet_files: sum(files.filter(isParquet).map(({ size }) => size)),
    num_bytes_memory: null,
  }
}

function totalOf({ dataset }: ViewedDataset, parts: readonly SplitSize[]) {
  const sizes = {
    num_bytes_original_files: sum(parts.map(({ num_bytes_original_files }) => num_bytes_original_files)),
    num_bytes_parquet_files: sum(parts.map(({ num_bytes_parquet_files }) => num_bytes_parquet_files)),
    num_bytes_memory: null,
    num_rows: sum(parts.map(({ num_rows }) => num_rows)),
  }
  const num_columns = Math.max(0, ...parts.map((part) => part.num_columns))
  const config = { dataset, config: CONFIG, ...sizes, num_columns } as const
  return { dataset: { dataset, ...sizes }, configs: parts.length === 0 ? [] : [config] }
}
