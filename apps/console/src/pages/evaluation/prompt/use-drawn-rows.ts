import { useQuery } from "@tanstack/react-query"
import type { Client } from "@assay/client"
import { useState } from "react"
import { useClient } from "../../../api/use-client.ts"
import type { ShownDataset } from "../launch/form/use-dataset.ts"

const ROWS_DRAWN = 10

/** A row that was drawn. */
export interface DrawnRow {
  readonly index: number
  readonly row: unknown
}

export interface DrawnRows {
  readonly rows: readonly DrawnRow[]
  readonly error: Error | null
  readonly isLoading: boolean
  /** Draws others. */
  readonly again: () => void
}

/** Draws ten rows of a dataset at random: of one file, or of the first file of a fileset. */
export function useDrawnRows(data: unknown, { address, files }: ShownDataset): DrawnRows {
  const client = useClient()
  const [draw, setDraw] = useState(0)
  const isInline = Array.isArray(data)
  const path = address?.path ?? files[0]?.split("#")[1]
  const read = useQuery({
    queryKey: ["prompt", "rows", isInline ? data : [address, path], draw],
    queryFn: async ({ signal }) => {
      if (isInline) return drawOf(data.length).map((index) => ({ index, row: data[index] as unknown }))
      const { workspace = "", fileset = "" } = address ?? {}
      return drawOfFile(client, { workspace, fileset, path: path ?? "" }, signal)
    },
    enabled: isInline || (address !== undefined && path !== undefined && !/[*?]/u.test(path)),
    staleTime: Infinity,
    retry: false,
  })
  return {
    rows: read.data ?? [],
    error: read.error,
    isLoading: read.isLoading,
    again: () => setDraw(draw + 1),
  }
}

async function drawOfFile(
  client: Client,
  { workspace, fileset, path }: { readonly workspace: string; readonly fileset: string; readonly path: string },
  signal: AbortSignal,
): Promise<readonly DrawnRow[]> {
  const page = async (offset: number, limit: number) =>
    client.rows.page(workspace, fileset, { path, offset, limit }, { signal })
  const { total } = await page(0, 1)
  const drawn = await Promise.all(drawOf(total).map((index) => page(index, 1)))
  return drawn.flatMap(({ data: [found] }) => (found === undefined ? [] : [{ index: found.row_index, row: found.row }]))
}

/** Returns different positions below a number, in order. */
function drawOf(total: number): readonly number[] {
  if (total <= ROWS_DRAWN) return Array.from({ length: total }, (_, index) => index)
  const drawn = new Set<number>()
  while (drawn.size < ROWS_DRAWN) drawn.add(Math.floor(Math.random() * total))
  return [...drawn].toSorted((one, other) => one - other)
}
