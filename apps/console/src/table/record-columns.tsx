import { Time } from "../components/times/time.tsx"
import type { Column } from "./column.ts"

/** Returns the column with the names of records. */
export function nameColumn<Row extends { readonly name: string }>(): Column<Row> {
  return {
    id: "name",
    title: "Name",
    width: "minmax(10rem, 2fr)",
    narrow: "title",
    render: ({ name }) => <span title={name}>{name}</span>,
    text: ({ name }) => name,
  }
}

/** Returns the column with the descriptions of records. */
export function descriptionColumn<Row extends { readonly description: string }>(): Column<Row> {
  return {
    id: "description",
    title: "Description",
    width: "minmax(10rem, 3fr)",
    narrow: "below",
    render: ({ description }) => (description === "" ? null : <span title={description}>{description}</span>),
    text: ({ description }) => description,
  }
}

/** Returns a column with times of records. */
export function timeColumn<Row>(id: string, title: string, timeOf: (row: Row) => string): Column<Row> {
  return {
    id,
    title,
    width: "minmax(8rem, 1fr)",
    narrow: "below",
    render: (row) => <Time at={timeOf(row)} />,
    text: timeOf,
  }
}
