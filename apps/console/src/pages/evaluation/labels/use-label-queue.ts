import type { LabelQueue, RowsToLabel } from "@assay/schemas"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useClient } from "../../../api/use-client.ts"

export type RowToLabel = LabelQueue["data"][number]

export interface LabelQueueOptions {
  readonly id: string
  readonly metric: string
  /** Which rows are asked about. */
  readonly rows: RowsToLabel
  /** Empty: nobody is named. */
  readonly author: string
}

export interface GivenLabel {
  readonly row: RowToLabel
  /** Null: unsure. */
  readonly label: number | null
  /** Empty: no note. */
  readonly note: string
}

/** Rows that are drawn at once. */
const BATCH = 50

/** Returns the drawn row that is labelled now, what keeps its label, and what takes the last one back. After the last row, the next batch is drawn. */
export function useLabelQueue({ id, metric, rows, author }: LabelQueueOptions) {
  const { labels } = useClient().evaluation.jobs
  const queries = useQueryClient()
  const [at, setAt] = useState(0)
  const [given, setGiven] = useState<readonly Omit<GivenLabel, "note">[]>([])
  /** The row whose label was taken back. */
  const [again, setAgain] = useState<RowToLabel>()
  const named = author === "" ? {} : { author }
  const queue = ["jobs", id, "labels", metric, "queue", rows, author]
  const { data, error } = useQuery({
    queryKey: queue,
    queryFn: ({ signal }) => labels.next(id, { metric, limit: BATCH, rows, ...named }, { signal }),
    // The rows of a batch stay until all of them have a label.
    staleTime: Infinity,
  })
  const row = again ?? data?.data[at]
  const add = (label: Omit<GivenLabel, "note">, more: { readonly withdrawn?: true; readonly note?: string }) => {
    const { task, row_index, repeat } = label.row
    const one = { task, row_index, repeat, draw: data?.draw ?? null, metric, label: label.label, ...more }
    return labels.add(id, { labels: [one], ...named })
  }
  const refresh = () => {
    // Not awaited: the next row takes its label while the report is on its way.
    void queries.invalidateQueries({ queryKey: ["jobs", id, "labels", metric, "report"] })
  }
  const keep = useMutation({
    mutationFn: ({ note, ...label }: GivenLabel) => add(label, note === "" ? {} : { note }),
    onSuccess: async (_added, { row: done, label }) => {
      setGiven((before) => [...before, { row: done, label }])
      refresh()
      if (again !== undefined) return setAgain(undefined)
      const isLast = at + 1 === data?.data.length
      // Disputed rows stay disputed until the others agree: they are not asked again at once.
      const isOver = isLast && rows !== "disputed"
      if (!isOver) return setAt(at + 1)
      await queries.invalidateQueries({ queryKey: queue })
      setGiven([])
      setAt(0)
    },
  })
  const undo = useMutation({
    mutationFn: (last: RowToLabel) => add({ row: last, label: null }, { withdrawn: true }),
    onSuccess: (_added, last) => {
      setGiven((before) => before.slice(0, -1))
      setAgain(last)
      refresh()
    },
  })
  const last = given.at(-1)?.row
  const unsure = given.filter(({ label }) => label === null).length
  return {
    data,
    error: error ?? keep.error ?? undo.error,
    row,
    /** Rows that got a label since the batch was drawn, and those whose author was unsure. */
    done: { labelled: given.length - unsure, unsure },
    isBusy: keep.isPending || undo.isPending,
    keep: (label: GivenLabel) => keep.mutate(label),
    undo: last === undefined || again !== undefined ? undefined : () => undo.mutate(last),
  }
}
