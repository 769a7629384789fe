import { isObject } from "@assay/json"
import type { ProfileColumn, RowProfile, RowWithIssues } from "@assay/schemas"
import type { ReactElement } from "react"
import type { Column } from "../../../table/column.ts"
import { ColumnSketch } from "./column-sketch.tsx"
import { cellText, isNumeric, typeOf } from "./cell-text.ts"
import type { RowFilterState } from "./use-row-filters.ts"

export interface RowColumnsOptions {
  /** Absent until all rows were read. */
  readonly profile: RowProfile | undefined
  /** The first row, which names the columns until then. */
  readonly first: unknown
  /** Shows each row as one line of JSON. */
  readonly isJson: boolean
  /** Called to see only the rows with a value. */
  readonly onFilter: RowFilterState["add"]
  /** Called to see more of a column. */
  readonly onColumn: (name: string) => void
}

/** A file can have thousands of columns. Further ones are in the view of a whole row. */
const MAX_COLUMNS = 60

/** Returns the columns of a file of rows: the number of the row, then its fields. */
export function rowColumns({
  profile,
  first,
  isJson,
  onFilter,
  onColumn,
}: RowColumnsOptions): readonly Column<RowWithIssues>[] {
  if (isJson) return [INDEX, JSON_COLUMN]
  const found = profile?.columns.filter(({ pointer }) => /^\/[^/]+$/u.test(pointer)) ?? []
  const names =
    found.length > 0 ? found.map(({ pointer }) => nameOf(pointer)) : isObject(first) ? Object.keys(first) : []
  if (names.length === 0) return [INDEX, JSON_COLUMN]
  return [
    INDEX,
    ...names
      .slice(0, MAX_COLUMNS)
      .map((name, index) => fieldColumn(name, { profiled: found[index], profile, onFilter, onColumn })),
  ]
}

const INDEX: Column<RowWithIssues> = {
  id: "#",
  title: "#",
  width: "4.5rem",
  align: "end",
  render: ({ row_index, issues }) => (
    <span className="soft">
      <IssueMark issues={issues.filter(({ pointer }) => pointer === "")} />
      {row_index}
    </span>
  ),
  text: ({ row_index }) => row_index,
}

const JSON_COLUMN: Column<RowWithIssues> = {
  id: "json",
  title: "Row",
  width: "minmax(20rem, 1fr)",
  render: ({ row, issues }) => (
    <span className="cell mono">
      <IssueMark issues={issues} />
      {cellText(row)}
    </span>
  ),
  text: ({ row }) => JSON.stringify(row),
}

interface FieldColumnOptions extends Pick<RowColumnsOptions, "profile" | "onFilter" | "onColumn"> {
  readonly profiled: ProfileColumn | undefined
}

function fieldColumn(
  name: string,
  { profiled, profile, onFilter, onColumn }: FieldColumnOptions,
): Column<RowWithIssues> {
  const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
  const isNumber = profiled !== undefined && isNumeric(profiled)
  return {
    id: name,
    title: name,
    width: isNumber ? "minmax(7rem, 1fr)" : isShort(profiled) ? "minmax(9rem, 1fr)" : "minmax(12rem, 4fr)",
    ...(isNumber ? { align: "end" as const } : {}),
    render: ({ row, issues }) => {
      const value = isObject(row) ? row[name] : undefined
      const here = issues.filter((issue) => issue.pointer === pointer || issue.pointer.startsWith(`${pointer}/`))
      return (
        <span className={here.length > 0 ? "cell fault" : "cell"} data-type={typeOf(value)}>
          <IssueMark issues={here} />
          {cellText(value)}
        </span>
      )
    },
    text: ({ row }) => (isObject(row) ? cellText(row[name]) : ""),
    ...(profiled === undefined
      ? {}
      : {
          onTitle: () => onColumn(name),
          below: <ColumnSketch name={name} column={profiled} rows={rowsOf(profile)} onFilter={onFilter} />,
        }),
  }
}

/** Characters from which texts need all room that there is. */
const MAX_SHORT = 24

function isShort(column: ProfileColumn | undefined): boolean {
  return column?.lengths != null && column.lengths.max <= MAX_SHORT
}

function IssueMark({ issues }: { readonly issues: RowWithIssues["issues"] }): ReactElement | null {
  if (issues.length === 0) return null
  const text = issues.map(({ pointer, message }) => (pointer === "" ? message : `${pointer}: ${message}`)).join("\n")
  return (
    <span className="issue" role="img" aria-label={`Issue: ${text}`} title={text}>
      ⚠
    </span>
  )
}

/** Returns the name of the column of a pointer. */
export function nameOf(pointer: string): string {
  return pointer.slice(1).replaceAll("~1", "/").replaceAll("~0", "~")
}

/** Returns the number of rows that a profile describes. */
export function rowsOf(profile: RowProfile | undefined): number {
  return profile?.files.reduce((sum, { rows }) => sum + rows, 0) ?? 0
}
